import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { keepBooks } from '../permissions.ts';

/** Takes a file away from what it was attached to. Its hash stays in the audit log. @throws Problem `not_found` (404) */
export async function removeAttachment(context: TenantContext, id: string): Promise<void> {
  await context.require(keepBooks).write(async (tx) => {
    const gone = await tx.query(sql`
      update accounting.attachment set removed_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and attachment_id = ${id}::uuid and removed_at is null returning attachment_id`);
    if (gone.length === 0) throw fail('not_found', 'There is no such file in this tenant.');
    tx.record(event('accounting.file.removed', { attachment_id: id }));
  });
}
