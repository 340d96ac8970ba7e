import { destroySubjectKeys } from '@steward/audit';
import { eraseMentions } from '@steward/approvals';
import { eraseBodies } from '@steward/callbacks';
import type { TenantTransaction } from '@steward/sql';
import { eraseNotices } from '@steward/studio';
import { eraseAnswers } from '@steward/tools';
import { announcement, event } from '../events.ts';
import { erasureTools, type Reason } from './reason.ts';

export interface ErasedSubmission {
  readonly submissionId: string;
  readonly formId: string;
  readonly formVersion: number;
}

/** As the functions that erase answer it. */
export interface ErasedRow extends Record<string, unknown> {
  readonly submission_id: string;
  readonly form_id: string;
  readonly form_version: number;
}

export const erasedOf = ({ submission_id, form_id, form_version }: ErasedRow): ErasedSubmission => ({
  submissionId: submission_id,
  formId: form_id,
  formVersion: form_version,
});

/** Submissions named by one event at most: payloads are limited. */
const mostTogether = 500;

/** Records and publishes the erasure of these submissions, and deletes the unsent emails about them. */
export async function afterErasing(
  tx: TenantTransaction,
  submissions: readonly ErasedSubmission[],
  reason: Reason,
): Promise<void> {
  for (let from = 0; from < submissions.length; from += mostTogether) {
    const some = submissions.slice(from, from + mostTogether);
    const submissionIds = some.map(({ submissionId }) => submissionId);
    const causationId = tx.record(event('commerce.submission.erased', { submission_ids: submissionIds, reason }));
    tx.publish(announcement('commerce.submission.erased', { submissionIds }, { causationId }));
    await eraseNotices(tx, some);
  }
}

/** Ids of whom is erased, and the addresses and phones they were known by. */
export interface Forgotten {
  readonly ids: readonly string[];
  readonly values: readonly string[];
}

/**
 * Erases what calls, approvals, callbacks and the audit log keep of an erased person: answers, actions and what providers sent that contain one of the
 * ids or values, and the keys that sealed values about one of the ids.
 * @returns whether there was anything left
 * @throws Problem `legal_hold` (409)
 */
export async function forget(tx: TenantTransaction, { ids, values }: Forgotten, reason: Reason): Promise<boolean> {
  const { keyIds } = await destroySubjectKeys(tx, ids, reason);
  const texts = [...ids, ...values];
  const onlyIds = Object.values(erasureTools);
  const answers = await eraseAnswers(tx, texts, onlyIds);
  const mentions = await eraseMentions(tx, texts, onlyIds);
  const bodies = await eraseBodies(tx, texts);
  return keyIds.length + answers + mentions + bodies > 0;
}
