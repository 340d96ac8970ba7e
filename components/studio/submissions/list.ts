import { operation } from '@steward/access';
import { count, id, moment, nullable, oneOf, pageOf, shape } from '@steward/contract';
import { afterAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { byForm, formNamed, noForm } from '../forms/form.ts';
import { keyModes } from '../keys/text.ts';
import { paging, reads } from '../operations.ts';

/** The studio's columns of a submission; commerce has the submitted values. Of `studio.submission` named `s`. */
const entry = shape('s', {
  submissionId: id(),
  formId: id(),
  formVersion: count(),
  siteId: id(),
  contactId: nullable(id()),
  mode: oneOf(keyModes),
  submittedAt: moment(),
});

export interface SubmissionPorts {
  /** Where a submission can be read. Submissions are commerce's. */
  readonly submissionPage: (submissionId: string) => string;
}

/**
 * A page of what was submitted to a form, newest first; `mode` is that of the key. A submission is here a
 * moment after it was taken, when its event has come.
 * @throws Problem `form_not_found` (404)
 */
export const listFormSubmissions = operation(
  {
    ...reads,
    name: 'service_list_form_submissions',
    input: z.strictObject({ ...byForm, mode: z.enum(keyModes).optional(), ...paging }),
    answer: pageOf(entry.answer.extend({ url: z.string() })),
    errors: ['insufficient_role', 'form_not_found'],
  },
  async (
    { context, readAll },
    { formId, mode = null, limit, cursor = afterAllIds },
    { submissionPage }: SubmissionPorts,
  ) => {
    const [form = [], rows = []] = await readAll([
      formNamed(context, formId),
      statement(
        `select ${entry.columns} from studio.submission s
         where s.tenant_id = $1::uuid and s.form_id = $2::uuid and ($3::text is null or s.mode = $3::text)
           and s.submission_id < $4::uuid
         order by s.submission_id desc limit $5::int`,
        [context.tenant, formId, mode, cursor, limit + 1],
      ),
    ]);
    if (form.length === 0) throw noForm();
    const present = (row: (typeof rows)[number]) => {
      const shown = entry.read(row);
      return { ...shown, url: submissionPage(shown.submissionId) };
    };
    return page(rows, limit, present, ({ submissionId }) => submissionId);
  },
);
