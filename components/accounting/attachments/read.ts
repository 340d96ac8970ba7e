import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { type Attachment, presentAttachment } from './attachment.ts';

/** Files of one entry, document, payment or bank line, the earliest first. */
export async function listAttachments(context: TenantContext, targetId: string): Promise<Attachment[]> {
  const rows = await context.require(readBooks).read(sql`
    select * from accounting.attachment
    where tenant_id = ${context.tenant}::uuid and target_id = ${targetId}::uuid and removed_at is null
    order by attached_at, attachment_id limit 200`);
  return rows.map(presentAttachment);
}

/** A file with its content. @throws Problem `not_found` (404) */
export async function readAttachment(
  context: TenantContext,
  id: string,
): Promise<{ attachment: Attachment; content: Buffer }> {
  const [row] = await context.require(readBooks).read(sql`
    select a.*, b.content from accounting.attachment a
    join accounting.blob b on b.tenant_id = a.tenant_id and b.sha256 = a.sha256
    where a.tenant_id = ${context.tenant}::uuid and a.attachment_id = ${id}::uuid and a.removed_at is null`);
  if (row === undefined) throw fail('not_found', 'There is no such file in this tenant.');
  return { attachment: presentAttachment(row), content: row['content'] as Buffer };
}
