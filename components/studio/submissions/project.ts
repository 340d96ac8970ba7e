import { sql, type TenantTransaction } from '@steward/sql';
import type { Submitted } from './submitted.ts';

/** Notes a submission for the studio's list, once, however often its event comes. */
export async function project(tx: TenantTransaction, submitted: Submitted): Promise<void> {
  const { submissionId, formId, formVersion, siteId, contactId, mode, at } = submitted;
  await tx.query(sql`
    insert into studio.submission (tenant_id, submission_id, form_id, form_version, site_id, contact_id, mode, submitted_at)
    values (${tx.context.tenant}::uuid, ${submissionId}::uuid, ${formId}::uuid, ${formVersion}::int, ${siteId}::uuid,
      ${contactId ?? null}::uuid, ${mode}, ${at}::timestamptz)
    on conflict do nothing`);
}
