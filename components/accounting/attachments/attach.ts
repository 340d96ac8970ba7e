import { createHash } from 'node:crypto';
import { fail, newId } from '@steward/kernel';
import { sql, type Statement, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { keepBooks } from '../permissions.ts';
import { type Attachment, presentAttachment, type TargetKind } from './attachment.ts';
import { uploading } from './uploading.ts';

export interface NewAttachment {
  readonly targetKind: TargetKind;
  readonly targetId: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Buffer;
}

/**
 * Binds a file to what it proves, by the hash of its content. The same file under the same name for the same thing again is
 * success; under another name it is attached by that name too, and kept once.
 * @throws Problem `not_found` (404) for what it is attached to, `quota_exceeded` (403)
 */
export async function attach(context: TenantContext, input: NewAttachment): Promise<Attachment> {
  context.spend('attachmentBytes', input.content.length);
  return uploading(context, async () => store(context, input));
}

async function store(context: TenantContext, input: NewAttachment): Promise<Attachment> {
  return context.require(keepBooks).write(async (tx) => {
    const { tenant } = context;
    const sha256 = createHash('sha256').update(input.content).digest('hex');
    // Whoever erases contents that nothing has attached any more is waited for.
    await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`accounting.blob ${tenant}`}, 0))`);
    if ((await tx.query(targets[input.targetKind](tenant, input.targetId))).length === 0)
      throw fail('not_found', `There is no such ${input.targetKind.replace('_', ' ')} in this tenant.`);
    const fileName = plainName(input.fileName);
    // The same at the same time is the same, too.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`accounting.attachment ${tenant} ${input.targetId}`}, 0))`,
    );
    await tx.query(sql`
      insert into accounting.blob (tenant_id, sha256, content) values (${tenant}::uuid, ${sha256}, ${input.content})
      on conflict do nothing`);
    const [known] = await tx.query(sql`
      select * from accounting.attachment where tenant_id = ${tenant}::uuid and target_id = ${input.targetId}::uuid
        and sha256 = ${sha256} and file_name = ${fileName} and removed_at is null limit 1`);
    if (known !== undefined) return presentAttachment(known);
    const [row] = await tx.query(sql`
      insert into accounting.attachment (tenant_id, attachment_id, target_kind, target_id, file_name, media_type, bytes, sha256)
      values (${tenant}::uuid, ${newId()}::uuid, ${input.targetKind}, ${input.targetId}::uuid, ${fileName},
        ${input.mediaType}, ${input.content.length}::int, ${sha256}) returning *`);
    const attachment = presentAttachment(row ?? {});
    tx.record(
      event('accounting.file.attached', {
        attachment_id: attachment.id,
        target_kind: input.targetKind,
        target_id: input.targetId,
        sha256,
        bytes: attachment.bytes,
      }),
    );
    return attachment;
  });
}

const targets: Readonly<Record<TargetKind, (tenant: string, id: string) => Statement>> = {
  entry: (tenant, id) => sql`select from accounting.entry where tenant_id = ${tenant}::uuid and entry_id = ${id}::uuid`,
  document: (tenant, id) =>
    sql`select from accounting.document where tenant_id = ${tenant}::uuid and document_id = ${id}::uuid`,
  payment: (tenant, id) =>
    sql`select from accounting.payment where tenant_id = ${tenant}::uuid and payment_id = ${id}::uuid`,
  bank_line: (tenant, id) =>
    sql`select from accounting.bank_line where tenant_id = ${tenant}::uuid and line_id = ${id}::uuid`,
};

/** The last part of a path, without what a header or a file system would trip over. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}"*:<>?|]/gu, '').trim();
  return plain === '' || /^\.+$/.test(plain) ? 'file' : plain.slice(0, 255);
}
