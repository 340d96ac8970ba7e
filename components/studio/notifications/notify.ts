import { createHash } from 'node:crypto';
import { enqueue, type Letter } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import { formVersionIn } from '../forms/versions.ts';
import type { Submitted } from '../submissions/submitted.ts';
import { submissionLetter, summaryLetter, type Told } from './letter.ts';

export interface NotificationPorts {
  /** What was submitted, by the name of its field; undefined when there is no such submission. It is commerce's. */
  readonly readSubmission: (
    tx: TenantTransaction,
    submissionId: string,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Where one submission, and the list of a form's, can be read. */
  readonly submissionPage: (submissionId: string) => string;
  readonly submissionsPage: (formId: string) => string;
}

/** Letters about one form to one recipient in one hour (UTC); what comes after them is counted in one more. */
export const mostLettersAnHour = 20;

/**
 * Writes the letters that tell of a submission, to the addresses of the version that it was made with: once for each, however
 * often its event comes. The recipients are the form's own; nothing that a visitor typed decides who gets a letter.
 */
export async function notify(tx: TenantTransaction, ports: NotificationPorts, submitted: Submitted): Promise<void> {
  const form = await formVersionIn(tx, submitted.formId, submitted.formVersion);
  if (form === undefined || form.notificationEmails.length === 0) return;
  if (!(await isNew(tx, submitted.submissionId))) return;
  const data = await ports.readSubmission(tx, submitted.submissionId);
  if (data === undefined) return;
  const told: Told = {
    form,
    site: await siteName(tx, submitted.siteId),
    submitted,
    page: ports.submissionPage(submitted.submissionId),
    list: ports.submissionsPage(submitted.formId),
  };
  const counts = await count(tx, submitted.formId, form.notificationEmails);
  // The same words for all: the values are laid out once.
  const words = counts.some(({ submissions }) => submissions <= mostLettersAnHour)
    ? submissionLetter(told, data)
    : undefined;
  const letters = counts.map(({ to, submissions, hour }): Letter => {
    if (submissions <= mostLettersAnHour && words !== undefined) {
      return { ...words, to, key: letterKey(submitted.submissionId, to) };
    }
    const until = new Date(hour.getTime() + 3_600_000);
    return {
      ...summaryLetter(told, submissions - mostLettersAnHour, hour, until),
      to,
      key: `submissions ${submitted.formId} ${to} ${hour.toISOString()}`,
      notBefore: until,
    };
  });
  await enqueue(tx, letters);
}

/** Of the letter that tells somebody of a submission. */
export const letterKey = (submissionId: string, to: string): string => `submission ${submissionId} ${to}`;

/** True once for a submission. */
async function isNew(tx: TenantTransaction, submissionId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into studio.notified (tenant_id, submission_id) values (${tx.context.tenant}::uuid, ${submissionId}::uuid)
    on conflict do nothing returning submission_id`);
  return rows.length > 0;
}

async function siteName(tx: TenantTransaction, siteId: string): Promise<string> {
  const [row] = await tx.query<{ name: string }>(
    sql`select name from studio.site where tenant_id = ${tx.context.tenant}::uuid and site_id = ${siteId}::uuid`,
  );
  return row?.name ?? '';
}

interface Count {
  readonly to: string;
  /** With this one. */
  readonly submissions: number;
  /** Beginning of the hour. */
  readonly hour: Date;
}

/** Counts one more submission for each; the hours of yesterday are forgotten on the way. */
async function count(tx: TenantTransaction, formId: string, recipients: readonly string[]): Promise<Count[]> {
  const byDigest = new Map(recipients.map((to) => [digest(to), to]));
  const rows = await tx.query<{ recipient: string; submissions: number; hour: Date }>(sql`
    with past as (
      delete from studio.notified_hour where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid
        and recipient in (select decode(d, 'hex') from unnest(${[...byDigest.keys()]}::text[]) d)
        and hour < clock_timestamp() - interval '1 day')
    insert into studio.notified_hour as h (tenant_id, form_id, recipient, hour, submissions)
    select ${tx.context.tenant}::uuid, ${formId}::uuid, decode(d, 'hex'), date_trunc('hour', statement_timestamp(), 'UTC'), 1
    from unnest(${[...byDigest.keys()]}::text[]) d
    on conflict (tenant_id, form_id, recipient, hour) do update set submissions = h.submissions + 1
    returning encode(recipient, 'hex') as recipient, submissions, hour`);
  return rows.map(({ recipient, submissions, hour }) => ({ to: byDigest.get(recipient) ?? '', submissions, hour }));
}

const digest = (address: string): string => createHash('sha256').update(address.toLowerCase()).digest('hex');
