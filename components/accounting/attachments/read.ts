import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { type Row, statement, type TenantContext, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { readBooks } from '../permissions.ts';
import { attachment, type Attachment, targetKinds } from './attachment.ts';
import { targets } from './target.ts';

/** Files of one entry, document, payment or bank line, the earliest first. @throws Problem `not_found` (404) where there is no such thing */
export const listAttachments = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_list_attachments',
    input: z.strictObject({
      targetId: z.uuid().meta({ description: 'Id of the entry, document, payment or bank line.' }),
    }),
    answer: z.array(attachment.answer),
    errors: { not_found: 'targetId' },
  },
  async (scope, { targetId }) => {
    const rows = await scope.read(
      statement(
        `select ${attachment.columns} from accounting.attachment a
         where a.tenant_id = $1::uuid and a.target_id = $2::uuid and a.removed_at is null
         order by a.attached_at, a.attachment_id limit 200`,
        [scope.context.tenant, targetId],
      ),
    );
    if (rows.length === 0) await requireTarget(scope, targetId);
    return rows.map(attachment.read);
  },
);

async function requireTarget(scope: TenantScope, id: string): Promise<void> {
  const found = await scope.readAll(targetKinds.map((kind) => targets[kind](scope.context.tenant, id)));
  if (found.every((rows) => rows.length === 0))
    throw fail('not_found', 'There is no such entry, document, payment or bank line in this tenant.');
}

/** A file with its content. @throws Problem `not_found` (404) */
export async function readAttachment(
  context: TenantContext,
  id: string,
): Promise<{ attachment: Attachment; content: Buffer }> {
  const [row] = await context.require(readBooks).read<Row & { content: Buffer }>(
    statement(
      `select ${attachment.columns}, b.content from accounting.attachment a
       join accounting.blob b on b.tenant_id = a.tenant_id and b.sha256 = a.sha256
       where a.tenant_id = $1::uuid and a.attachment_id = $2::uuid and a.removed_at is null`,
      [context.tenant, id],
    ),
  );
  if (row === undefined)
    throw fail(
      'not_found',
      'There is no such file in this tenant: list the files of its entry, document, payment or bank line.',
    );
  return { attachment: attachment.read(row), content: row.content };
}
