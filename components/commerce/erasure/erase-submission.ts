import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { erasePeople } from '../permissions.ts';
import { afterErasing, forget } from './forget.ts';
import type { Reason } from './reason.ts';

/**
 * Erases what one submission says, and the letters that tell of it and were not sent yet; its ids stay. What a contact took from
 * it stays with the contact. For forms that map nothing, and for what should not have been sent. Repeating it is harmless.
 *
 * Who asks must have been let in as somebody who may decide: it cannot be taken back.
 * @throws Problem `not_found` (404), `legal_hold` (409)
 */
export async function eraseSubmission(
  context: TenantContext,
  submissionId: string,
  reason: Reason,
): Promise<{ readonly submissionId: string; readonly erasedAt: string }> {
  return context.require(erasePeople).write(async (tx) => {
    const [row] = await tx.query<{
      submission_id: string;
      form_id: string;
      form_version: number;
      erased_at: Date;
      fresh: boolean;
    }>(sql`
      select submission_id, form_id, form_version, erased_at, fresh from commerce.erase_submission(${submissionId}::uuid)`);
    if (row === undefined) throw fail('not_found', 'There is no such submission.');
    const erased = { submissionId: row.submission_id, formId: row.form_id, formVersion: row.form_version };
    await afterErasing(tx, row.fresh ? [erased] : [], reason);
    await forget(tx, { ids: [row.submission_id], values: [] }, reason);
    return { submissionId: row.submission_id, erasedAt: row.erased_at.toISOString() };
  });
}
