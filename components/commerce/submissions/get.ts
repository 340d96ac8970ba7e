import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import type { Data } from './body.ts';
import { submission } from './submission.ts';

/** @throws Problem `not_found` (404), for another tenant's submission too */
export const getSubmission = operation(
  {
    ...reads,
    name: 'service_get_form_submission',
    input: z.strictObject({ submissionId: z.uuid().meta({ description: 'From service_list_form_submissions.' }) }),
    answer: submission.answer,
    errors: ['not_found'],
  },
  async ({ context, read }, { submissionId }) => {
    const [row] = await read(
      statement(
        `select ${submission.columns} from commerce.submission s where s.tenant_id = $1::uuid and s.submission_id = $2::uuid`,
        [context.tenant, submissionId],
      ),
    );
    if (row === undefined)
      throw fail('not_found', 'There is no such submission: list the submissions of the form for their ids.');
    return submission.read(row);
  },
);

/**
 * The submitted values, by the names of their fields, for code in a transaction of the tenant; undefined when there is no such
 * submission, or it was erased.
 */
export async function readSubmission(tx: TenantTransaction, submissionId: string): Promise<Data | undefined> {
  const [row] = await tx.query<{ data: string }>(sql`
    select data from commerce.submission
    where tenant_id = ${tx.context.tenant}::uuid and submission_id = ${submissionId}::uuid and erased_at is null`);
  return row === undefined ? undefined : (JSON.parse(row.data) as Data);
}
