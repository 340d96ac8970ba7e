import { sameContact } from '@steward/crm';
import { afterAllIds, beforeAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { formNamed } from '@steward/studio';
import { noForm } from '../errors.ts';
import { readSubmissions } from '../permissions.ts';
import { firstIdAt, presentSubmission, type StoredSubmission } from './submission.ts';

export interface SubmissionFilter {
  readonly version?: number | undefined;
  /** Of those that were merged with it, too. */
  readonly contactId?: string | undefined;
  readonly mode?: StoredSubmission['mode'] | undefined;
  /** RFC 3339; at it or later. */
  readonly submittedFrom?: string | undefined;
  /** RFC 3339; earlier than it. */
  readonly submittedBefore?: string | undefined;
}

/**
 * A page of what was submitted to a form, newest first.
 * @throws Problem `form_not_found` (404), for another tenant's form too
 */
export async function listSubmissions(
  context: TenantContext,
  formId: string,
  filter: SubmissionFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<StoredSubmission>> {
  const from = filter.submittedFrom === undefined ? beforeAllIds : firstIdAt(filter.submittedFrom);
  const before = filter.submittedBefore === undefined ? afterAllIds : firstIdAt(filter.submittedBefore);
  const scope = context.require(readSubmissions);
  const contacts =
    filter.contactId === undefined
      ? null
      : [
          filter.contactId,
          ...(await scope.read(sameContact(context.tenant, filter.contactId))).map(({ id }) => String(id)),
        ];
  const [form = [], rows = []] = await scope.readAll([
    formNamed(context, formId),
    sql`
    select submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data, erased_at,
      commerce.repeated_by(s) as repeats from commerce.submission s
    where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid
      and submission_id < ${cursor ?? afterAllIds}::uuid and submission_id < ${before}::uuid and submission_id >= ${from}::uuid
      and (${filter.version ?? null}::int is null or form_version = ${filter.version ?? null}::int)
      and (${contacts}::uuid[] is null or contact_id = any (${contacts}::uuid[]))
      and (${filter.mode ?? null}::text is null or mode = ${filter.mode ?? null}::text)
    order by submission_id desc limit ${limit + 1}::int`,
  ]);
  if (form.length === 0) throw noForm();
  return page(rows, limit, presentSubmission, ({ submissionId }) => submissionId);
}
