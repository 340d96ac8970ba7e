import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { erases } from '../operations.ts';
import { afterErasing, erasedOf, forget, type ErasedRow } from './forget.ts';
import { erasureTools, reason } from './reason.ts';

/**
 * Erases the values of one submission and the unsent emails about it; its ids stay. Values that a contact took from
 * it stay with the contact. For forms that map nothing, and for submissions sent by mistake. A repeat changes nothing.
 *
 * The caller must be somebody who may decide, because nothing takes an erasure back.
 * @throws Problem `not_found` (404), `legal_hold` (409)
 */
export const eraseSubmission = operation(
  {
    ...erases,
    pillar: 'studio',
    name: erasureTools.submission,
    input: z.strictObject({
      submissionId: z.uuid().meta({ description: 'From service_list_form_submissions.' }),
      reason,
    }),
    answer: z.object({ submissionId: z.uuid(), erasedAt: z.string() }),
    errors: ['insufficient_role', 'not_found', 'legal_hold'],
  },
  async (scope, { submissionId, reason: why }) =>
    scope.write(async (tx) => {
      const [row] = await tx.query<ErasedRow & { erased_at: Date; fresh: boolean }>(sql`
        select submission_id, form_id, form_version, erased_at, fresh from commerce.erase_submission(${submissionId}::uuid)`);
      if (row === undefined)
        throw fail('not_found', 'There is no such submission: list the submissions of the form for their ids.');
      await afterErasing(tx, row.fresh ? [erasedOf(row)] : [], why);
      const found = await forget(tx, { ids: [row.submission_id], values: [] }, why);
      const erased = { submissionId: row.submission_id, erasedAt: row.erased_at.toISOString() };
      return row.fresh || found ? erased : asItWas(erased);
    }),
);
