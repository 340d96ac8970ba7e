import { addressDigest, enqueue, foldedAddress, type Email } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import { formVersionIn } from '../forms/versions.ts';
import type { Submitted } from '../submissions/submitted.ts';
import { askNew } from '../recipients/ask.ts';
import { closing } from '../recipients/email.ts';
import { addressees, type RecipientPorts } from '../recipients/recipient.ts';
import { submissionEmail, summaryEmail, type Told } from './email.ts';
import { shares, type Share } from './quota.ts';

export interface NotificationPorts extends RecipientPorts {
  /** What was submitted, by the name of its field; undefined when there is no such submission. It is commerce's. */
  readonly readSubmission: (
    tx: TenantTransaction,
    submissionId: string,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Where one submission, and the list of a form's, can be read. */
  readonly submissionPage: (submissionId: string) => string;
  readonly submissionsPage: (formId: string) => string;
}

/**
 * Writes the emails about a submission, to the addresses of the version that it was made with: once for each, however
 * often its event comes. The recipients are the form's own; nothing that a visitor typed decides who gets an email.
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
  const named = await addressees(tx, ports, form.notificationEmails);
  // A version from before the setting may name addresses that may not receive emails any more.
  if (!ports.toStrangers) await askNew(tx, ports, submitted.formId, named);
  const wanted = named.filter(({ told: isTold }) => isTold);
  const known = new Set(
    wanted.filter(({ standing }) => standing !== 'unconfirmed').map(({ address }) => foldedAddress(address)),
  );
  const given = await shares(
    tx,
    submitted.formId,
    wanted.map(({ address }) => address),
    known,
  );
  // The same words for all: the values are laid out once.
  const words = given.some(({ kind }) => kind === 'email') ? submissionEmail(told, data) : undefined;
  const emails = given.flatMap((share): Email[] => {
    const { to, kind } = share;
    if (kind === 'nothing') return [];
    const email = kind === 'email' && words !== undefined ? words : summaryOf(told, share);
    const linked = { tenant: tx.context.tenant, address: addressDigest(to) };
    const confirm = share.known ? undefined : ports.links.to('confirm', linked);
    const { text, html } = email.closedBy(closing(ports.links.to('unsubscribe', linked), confirm));
    return [
      {
        text,
        html,
        subject: share.known ? email.subject : email.strangersSubject,
        to,
        ...(kind === 'email'
          ? { key: emailKey(submitted.submissionId, to) }
          : { key: `submissions ${submitted.formId} ${to} ${share.hour.toISOString()}`, notBefore: endOf(share) }),
      },
    ];
  });
  await enqueue(tx, emails);
}

const endOf = ({ hour }: Share): Date => new Date(hour.getTime() + 3_600_000);

const summaryOf = (told: Told, share: Share) => summaryEmail(told, share.others, share.hour, endOf(share));

/** The key of the email to one recipient about a submission. */
export const emailKey = (submissionId: string, to: string): string => `submission ${submissionId} ${to}`;

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
