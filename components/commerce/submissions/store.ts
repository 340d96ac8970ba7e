import { timeOfId } from '@steward/kernel';
import { sql, type Statement, type TenantTransaction } from '@steward/sql';
import type { PublishedForm, SiteKey } from '@steward/studio';
import { announcement, event } from '../events.ts';
import type { Submitted } from './body.ts';
import type { Submission } from './submission.ts';

export interface Submitting {
  readonly key: SiteKey;
  readonly formId: string;
  readonly submitted: Submitted;
  readonly requestId: string;
}

export interface SubmissionRow {
  readonly tenant_id: string;
  readonly submission_id: string;
  readonly form_id: string;
  readonly form_version: number;
  readonly site_id: string;
  readonly key_id: string;
  readonly mode: SiteKey['mode'];
  readonly contact_id: string | undefined;
  readonly data: string;
}

/** In a transaction of the tenant whose rows they are. */
export const insertOwn = (rows: readonly SubmissionRow[]): Statement => sql`
  insert into commerce.submission (tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data)
  select tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data
  from json_to_recordset(${JSON.stringify(rows)}::json) as row (tenant_id uuid, submission_id uuid, form_id uuid,
    form_version int, site_id uuid, key_id uuid, mode text, contact_id uuid, data text)`;

/** In a transaction that their tenants share. */
export const insertTogether = (rows: readonly SubmissionRow[]): Statement =>
  sql`select commerce.store_together(${JSON.stringify(rows)}::json)`;

/** Records and announces a submission; its row goes to `rows`, which are inserted at once. */
export function store(
  tx: Pick<TenantTransaction, 'record' | 'publish'>,
  rows: SubmissionRow[],
  { key, submitted: { data, text } }: Submitting,
  form: PublishedForm,
  submissionId: string,
  contactId?: string,
): Submission {
  rows.push({
    tenant_id: key.tenant,
    submission_id: submissionId,
    form_id: form.formId,
    form_version: form.version,
    site_id: key.siteId,
    key_id: key.keyId,
    mode: key.mode,
    contact_id: contactId,
    data: text,
  });
  const eventId = tx.record(
    event('commerce.form.submitted', {
      submission_id: submissionId,
      form_id: form.formId,
      form_version: form.version,
      site_id: key.siteId,
      mode: key.mode,
      ...(contactId === undefined ? {} : { contact_id: contactId }),
    }),
  );
  const named = {
    submissionId,
    siteId: key.siteId,
    formId: form.formId,
    formVersion: form.version,
    ...(contactId === undefined ? {} : { contactId }),
  };
  // The outbox is kept for ever: ids, and nothing of what somebody typed.
  tx.publish(
    announcement(
      'commerce.storefront.form.submitted',
      { ...named, mode: key.mode },
      { subject: submissionId, causationId: eventId },
    ),
  );
  return { ...named, data, createdAt: timeOfId(submissionId) };
}
