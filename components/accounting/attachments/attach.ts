import { createHash } from 'node:crypto';
import { asItWas, operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { fail, newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { attachment, type Attachment } from './attachment.ts';
import { targets } from './target.ts';
import { uploading } from './uploading.ts';

const input = z.strictObject({
  targetKind: attachment.answer.shape.targetKind.meta({ description: 'What target_id is the id of.' }),
  targetId: z.uuid().meta({ description: 'Id of the entry, document, payment or bank line.' }),
  fileName: z.string().min(1).max(255).meta({ description: 'With its ending, such as receipt.pdf.' }),
  mediaType: z.string(),
  content: z.instanceof(Buffer),
});
export type NewAttachment = Fixed<z.output<typeof input>>;

/**
 * Binds a file to what it proves, by the hash of its content. The same file under the same name and media type for the same
 * thing again is success; under another it is attached by that too, and kept once.
 * @throws Problem `not_found` (404) for what it is attached to, `quota_exceeded` (403)
 */
export const attach = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_attach_file',
    input,
    answer: attachment.answer,
    errors: ['not_found'],
  },
  async (scope, file) => {
    scope.context.spend('attachmentBytes', file.content.length);
    return uploading(scope.context, async () => scope.write(async (tx) => store(tx, file)));
  },
);

async function store(tx: TenantTransaction, file: NewAttachment): Promise<Attachment> {
  const { tenant } = tx.context;
  const sha256 = createHash('sha256').update(file.content).digest('hex');
  // Waits for an erasure of contents that nothing refers to any more.
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`accounting.blob ${tenant}`}, 0))`);
  if ((await tx.query(targets[file.targetKind](tenant, file.targetId))).length === 0)
    throw fail('not_found', `There is no such ${file.targetKind.replace('_', ' ')} in this tenant: check the id.`);
  const fileName = plainName(file.fileName);
  // The same at the same time is the same, too.
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`accounting.attachment ${tenant} ${file.targetId}`}, 0))`,
  );
  await tx.query(sql`
    insert into accounting.blob (tenant_id, sha256, content) values (${tenant}::uuid, ${sha256}, ${file.content})
    on conflict do nothing`);
  const [known] = await tx.query(
    statement(
      `select ${attachment.columns} from accounting.attachment a where a.tenant_id = $1::uuid and a.target_id = $2::uuid
         and a.sha256 = $3 and a.file_name = $4 and a.media_type = $5 and a.removed_at is null limit 1`,
      [tenant, file.targetId, sha256, fileName, file.mediaType],
    ),
  );
  if (known !== undefined) return asItWas(attachment.read(known));
  const [row] = await tx.query(
    statement(
      `insert into accounting.attachment as a (tenant_id, attachment_id, target_kind, target_id, file_name, media_type, bytes, sha256)
       values ($1::uuid, $2::uuid, $3, $4::uuid, $5, $6, $7::int, $8) returning ${attachment.columns}`,
      [tenant, newId(), file.targetKind, file.targetId, fileName, file.mediaType, file.content.length, sha256],
    ),
  );
  const attached = attachment.read(row ?? {});
  tx.record(
    event('accounting.file.attached', {
      attachment_id: attached.id,
      target_kind: file.targetKind,
      target_id: file.targetId,
      sha256,
      bytes: attached.bytes,
      content_sha256: await contentOf(tx, 'attachment', attached.id),
    }),
  );
  return attached;
}

/** The last part of a path, without what a header or a file system would trip over. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}"*:<>?|]/gu, '').trim();
  return plain === '' || /^\.+$/.test(plain) ? 'file' : plain.slice(0, 255);
}
