import { afterAllIds, page, type Page, type PageRequest, type Row, sql, type TenantContext } from '@steward/sql';
import { formNamed, noForm } from '../forms/form.ts';
import { readStudio } from '../permissions.ts';

/** What the studio knows of a submission; commerce holds what was submitted. */
export interface SubmissionEntry {
  readonly submissionId: string;
  readonly formId: string;
  readonly formVersion: number;
  readonly siteId: string;
  readonly contactId: string | null;
  readonly mode: 'live' | 'test';
  readonly submittedAt: string;
}

const presentEntry = (row: Row): SubmissionEntry => ({
  submissionId: String(row['submission_id']),
  formId: String(row['form_id']),
  formVersion: Number(row['form_version']),
  siteId: String(row['site_id']),
  contactId: row['contact_id'] as string | null,
  mode: row['mode'] as SubmissionEntry['mode'],
  submittedAt: (row['submitted_at'] as Date).toISOString(),
});

/**
 * A page of what was submitted to a form, newest first; `mode` is that of the key. A submission is here a
 * moment after it was taken, when its event has come.
 * @throws Problem `not_found` (404)
 */
export async function listFormSubmissions(
  context: TenantContext,
  formId: string,
  { mode }: { readonly mode?: SubmissionEntry['mode'] | undefined },
  { limit, cursor }: PageRequest,
): Promise<Page<SubmissionEntry>> {
  const [form = [], rows = []] = await context.require(readStudio).readAll([
    formNamed(context, formId),
    sql`
      select submission_id, form_id, form_version, site_id, contact_id, mode, submitted_at from studio.submission
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid
        and (${mode ?? null}::text is null or mode = ${mode ?? null}::text)
        and submission_id < ${cursor ?? afterAllIds}::uuid
      order by submission_id desc limit ${limit + 1}::int`,
  ]);
  if (form.length === 0) throw noForm();
  return page(rows, limit, presentEntry, ({ submissionId }) => submissionId);
}
