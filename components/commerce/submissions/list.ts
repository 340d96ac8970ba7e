import { operation } from '@steward/access';
import { type Fixed, pageCursor, pageLimit, pageOf, versionNumber } from '@steward/contract';
import { sameContact } from '@steward/crm';
import { afterAllIds, beforeAllIds, page, statement } from '@steward/sql';
import { formNamed, noForm } from '@steward/studio';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { firstIdAt, submission } from './submission.ts';

const time = z.iso.datetime({ offset: true });

/** Which submissions of a form. */
export const filter = z.strictObject({
  version: versionNumber.optional().meta({ description: 'Only submissions of this version of the form.' }),
  /** Of those that were merged with it, too. */
  contactId: z.uuid().optional().meta({ description: 'Only submissions of this contact.' }),
  mode: z
    .enum(['live', 'test'])
    .optional()
    .meta({ description: 'Only submissions made with a live key, or only those made with a test key.' }),
  submittedFrom: time.optional().meta({ description: 'Only submissions at or after this time (RFC 3339).' }),
  submittedBefore: time.optional().meta({ description: 'Only submissions before this time (RFC 3339).' }),
});
export type SubmissionFilter = Fixed<z.output<typeof filter>>;

/**
 * A page of what was submitted to a form, newest first.
 * @throws Problem `form_not_found` (404), for another tenant's form too
 */
export const listSubmissions = operation(
  {
    ...reads,
    name: 'service_list_form_submissions',
    input: z.strictObject({
      formId: z.uuid().meta({ description: 'From service_list_forms.' }),
      ...filter.shape,
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(submission.answer),
    errors: ['form_not_found'],
  },
  async ({ context, read, readAll }, { formId, limit, cursor = afterAllIds, ...wanted }) => {
    const { tenant } = context;
    const { version = null, contactId, mode = null, submittedFrom, submittedBefore } = wanted;
    const contacts =
      contactId === undefined
        ? null
        : [contactId, ...(await read<{ id: string }>(sameContact(tenant, contactId))).map(({ id }) => id)];
    const [form = [], rows = []] = await readAll([
      formNamed(context, formId),
      statement(
        `select ${submission.columns} from commerce.submission s
         where s.tenant_id = $1::uuid and s.form_id = $2::uuid
           and s.submission_id < $3::uuid and s.submission_id < $4::uuid and s.submission_id >= $5::uuid
           and ($6::int is null or s.form_version = $6::int)
           and ($7::uuid[] is null or s.contact_id = any ($7::uuid[]))
           and ($8::text is null or s.mode = $8::text)
         order by s.submission_id desc limit $9::int`,
        [
          tenant,
          formId,
          cursor,
          submittedBefore === undefined ? afterAllIds : firstIdAt(submittedBefore),
          submittedFrom === undefined ? beforeAllIds : firstIdAt(submittedFrom),
          version,
          contacts,
          mode,
          limit + 1,
        ],
      ),
    ]);
    if (form.length === 0) throw noForm();
    return page(rows, limit, submission.read, ({ submissionId }) => submissionId);
  },
);
