import { fail } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { readSubmissions } from '../permissions.ts';
import { presentSubmission, type StoredSubmission } from './submission.ts';

/** @throws Problem `not_found` (404), for another tenant's submission too */
export async function getSubmission(context: TenantContext, submissionId: string): Promise<StoredSubmission> {
  const [row] = await context.require(readSubmissions).read(sql`
    select submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data, erased_at,
      commerce.repeated_by(s) as repeats from commerce.submission s
    where tenant_id = ${context.tenant}::uuid and submission_id = ${submissionId}::uuid`);
  if (row === undefined) throw fail('not_found', 'There is no such submission.');
  return presentSubmission(row);
}

/** The same for whoever works in a transaction of its tenant's; undefined when there is none, or it was erased. */
export async function readSubmission(
  tx: TenantTransaction,
  submissionId: string,
): Promise<StoredSubmission | undefined> {
  const [row] = await tx.query(sql`
    select submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data, erased_at from commerce.submission
    where tenant_id = ${tx.context.tenant}::uuid and submission_id = ${submissionId}::uuid and erased_at is null`);
  return row === undefined ? undefined : presentSubmission(row);
}
