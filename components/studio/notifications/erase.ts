import { eraseEmails } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import { emailKey } from './notify.ts';

interface Submitted {
  readonly submissionId: string;
  readonly formId: string;
  readonly formVersion: number;
}

/**
 * Deletes the unsent emails about submissions; answers how many. Nobody gets one later, however
 * often the events come: each submission counts as notified, and this waits for a handler that writes one at this moment.
 */
export async function eraseNotices(tx: TenantTransaction, submissions: readonly Submitted[]): Promise<number> {
  const { tenant } = tx.context;
  const ids = submissions.map(({ submissionId }) => submissionId).toSorted();
  await tx.query(sql`
    insert into studio.notified (tenant_id, submission_id) select ${tenant}::uuid, id from unnest(${ids}::uuid[]) id
    on conflict do nothing`);
  const versions = await tx.query<{ form_id: string; version: number; definition: string }>(sql`
    select form_id, version, definition from studio.form_version
    where tenant_id = ${tenant}::uuid and (form_id, version) in (
      select form_id, version from unnest(${submissions.map(({ formId }) => formId)}::uuid[],
        ${submissions.map(({ formVersion }) => formVersion)}::int[]) as told (form_id, version))`);
  const recipients = new Map(
    versions.map(({ form_id, version, definition }) => [
      `${form_id} ${version}`,
      (JSON.parse(definition) as { readonly notificationEmails: readonly string[] }).notificationEmails,
    ]),
  );
  return eraseEmails(
    tx,
    submissions.flatMap(({ submissionId, formId, formVersion }) =>
      (recipients.get(`${formId} ${formVersion}`) ?? []).map((to) => emailKey(submissionId, to)),
    ),
  );
}
