import { addressDigest as digest, foldedAddress as folded } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';

/**
 * Emails at most, of which each sum of an hour is one. A tenant chooses its recipients freely, so that without these it could
 * write to anybody, as often as it likes. Hours are those of UTC, a day is the last 24 hours.
 */
export const quotas = {
  /** About one form to one recipient in an hour; what comes after them is counted in one more. */
  formHour: 20,
  /** Of a tenant to one recipient in an hour, sums apart, about all its forms: who is a member or confirmed, and who is neither. */
  knownHour: 100,
  strangerHour: 20,
  /** Of a tenant to one recipient who is neither in a day, sums included. */
  strangerDay: 100,
  /** Of all tenants together to such a recipient. */
  platformHour: 40,
  platformDay: 200,
  /** Of all tenants together to one address in a day, emails that ask whether it wants any; other emails do not count. */
  askedDay: 5,
  /** Of a tenant to all such recipients in a day. */
  strangersDay: 400,
} as const;

/** What a recipient is sent of one submission: an email of its own, a sum when the hour is over, or nothing any more. */
export interface Share {
  readonly to: string;
  readonly known: boolean;
  readonly kind: 'email' | 'sum' | 'nothing';
  /** Submissions that had no email of their own, with this one. */
  readonly others: number;
  /** Beginning of the hour. */
  readonly hour: Date;
}

interface Sent extends Record<string, unknown> {
  readonly recipient: string;
  readonly submissions: number;
  readonly letters: number;
  readonly summary: boolean;
  readonly hour: Date;
  readonly tenant_hour: number;
  readonly tenant_day: number;
  readonly platform_hour: number;
  readonly platform_day: number;
  readonly asked_day: number;
  readonly strangers_day: number;
}

/**
 * Counts one more submission of the form for each recipient, and says what each is sent of it; the hours of yesterday are forgotten
 * on the way. What several tenants send at the same moment may go over the platform's quotas by as many emails as there are tenants.
 */
export async function shares(
  tx: TenantTransaction,
  formId: string,
  recipients: readonly string[],
  known: ReadonlySet<string>,
): Promise<Share[]> {
  const byDigest = new Map(recipients.map((to) => [digest(to), to]));
  const digests = [...byDigest.keys()].toSorted();
  const strangers = digests.map((one) => !known.has(folded(byDigest.get(one) ?? '')));
  const rows = await count(tx, formId, digests, strangers);
  let strangersLeft = quotas.strangersDay - (rows[0]?.strangers_day ?? 0);
  const given = rows.map((row): Share => {
    const to = byDigest.get(row.recipient) ?? '';
    const isKnown = known.has(folded(to));
    const kind =
      row.letters < quotas.formHour && hasRoom(row, isKnown, strangersLeft)
        ? 'email'
        : sum(row, isKnown, strangersLeft);
    if (!isKnown && kind !== 'nothing' && !(kind === 'sum' && row.summary)) strangersLeft -= 1;
    return { to, known: isKnown, kind, others: row.submissions - row.letters, hour: row.hour };
  });
  await note(tx, formId, given);
  return given;
}

/** An address that a tenant may ask whether it wants emails. */
export interface Askable {
  readonly to: string;
  /** Others have not asked it too often for today. No tenant may find out. */
  readonly written: boolean;
}

/**
 * Those of the addresses, neither a member's nor confirmed, that the tenant may ask at this moment as far as its own quotas go, and
 * counts it.
 */
export async function roomFor(tx: TenantTransaction, formId: string, strangers: readonly string[]): Promise<Askable[]> {
  if (strangers.length === 0) return [];
  const byDigest = new Map(strangers.map((to) => [digest(to), to]));
  const digests = [...byDigest.keys()].toSorted();
  const rows = await count(
    tx,
    formId,
    digests,
    digests.map(() => true),
    0,
  );
  const left = quotas.strangersDay - (rows[0]?.strangers_day ?? 0);
  const given = rows
    .filter((row) => hasOwnRoom(row, left))
    .slice(0, Math.max(0, left))
    .map((row) => ({
      to: byDigest.get(row.recipient) ?? '',
      known: false,
      kind: 'email' as const,
      others: 0,
      hour: row.hour,
      written: row.asked_day < quotas.askedDay,
    }));
  // Addresses that get no email count too: otherwise the tenant's remaining quota would reveal what other tenants did.
  await note(tx, formId, given);
  await tx.query(sql`
    update studio.notified_hour set asked = asked + 1
    where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid and hour = date_trunc('hour', now(), 'UTC')
      and recipient in (select decode(d, 'hex')
        from unnest(${given.filter(({ written }) => written).map(({ to }) => digest(to))}::text[]) d)`);
  return given.map(({ to, written }) => ({ to, written }));
}

const hasRoom = (row: Sent, known: boolean, strangersLeft: number): boolean =>
  known
    ? row.tenant_hour < quotas.knownHour
    : hasOwnRoom(row, strangersLeft) &&
      row.platform_hour < quotas.platformHour &&
      row.platform_day < quotas.platformDay;

/** Counts only the tenant's own emails, which it may know of. */
const hasOwnRoom = (row: Sent, strangersLeft: number): boolean =>
  row.tenant_hour < quotas.strangerHour && row.tenant_day < quotas.strangerDay && strangersLeft > 0;

/** A sum that is waiting takes newer words; one more counts as an email of the day. */
const sum = (row: Sent, known: boolean, strangersLeft: number): Share['kind'] =>
  row.summary ||
  known ||
  (row.tenant_day < quotas.strangerDay && row.platform_day < quotas.platformDay && strangersLeft > 0)
    ? 'sum'
    : 'nothing';

async function count(
  tx: TenantTransaction,
  formId: string,
  digests: readonly string[],
  strangers: readonly boolean[],
  submissions = 1,
): Promise<Sent[]> {
  const { tenant } = tx.context;
  await tx.query(sql`
    with past as (
      delete from studio.notified_hour where tenant_id = ${tenant}::uuid and form_id = ${formId}::uuid
        and recipient in (select decode(d, 'hex') from unnest(${digests}::text[]) d)
        and hour < clock_timestamp() - interval '2 days')
    insert into studio.notified_hour as h (tenant_id, form_id, recipient, hour, submissions, stranger)
    select ${tenant}::uuid, ${formId}::uuid, decode(d, 'hex'), date_trunc('hour', now(), 'UTC'), ${submissions}::int, stranger
    from unnest(${digests}::text[], ${strangers}::boolean[]) as given (d, stranger) order by d
    on conflict (tenant_id, form_id, recipient, hour) do update set submissions = h.submissions + excluded.submissions, stranger = excluded.stranger`);
  return tx.query<Sent>(sql`
    with own as (
      select recipient, sum(letters) filter (where hour = date_trunc('hour', now(), 'UTC')) as tenant_hour,
        sum(letters + summary::int) as tenant_day
      from studio.notified_hour
      where tenant_id = ${tenant}::uuid and hour > now() - interval '1 day'
        and recipient in (select decode(d, 'hex') from unnest(${digests}::text[]) d)
      group by recipient)
    select encode(h.recipient, 'hex') as recipient, h.submissions, h.letters, h.summary, h.hour,
      own.tenant_hour::int, own.tenant_day::int, coalesce(a.this_hour, 0) as platform_hour, coalesce(a.this_day, 0) as platform_day,
      coalesce(a.asked_day, 0) as asked_day,
      (select coalesce(sum(letters + summary::int), 0)::int from studio.notified_hour
        where tenant_id = ${tenant}::uuid and hour > now() - interval '1 day' and stranger) as strangers_day
    from studio.notified_hour h
    join own on own.recipient = h.recipient
    left join studio.letters_to(array(select decode(d, 'hex') from unnest(${digests}::text[]) d)) a on a.recipient = h.recipient
    where h.tenant_id = ${tenant}::uuid and h.form_id = ${formId}::uuid and h.hour = date_trunc('hour', now(), 'UTC')
    order by h.recipient`);
}

async function note(tx: TenantTransaction, formId: string, given: readonly Share[]): Promise<void> {
  const sent = given.filter(({ kind }) => kind !== 'nothing');
  if (sent.length === 0) return;
  await tx.query(sql`
    update studio.notified_hour h set letters = h.letters + (not sum)::int, summary = h.summary or sum
    from unnest(${sent.map(({ to }) => digest(to))}::text[], ${sent.map(({ kind }) => kind === 'sum')}::boolean[],
      ${sent.map(({ hour }) => hour.toISOString())}::timestamptz[]) as given (recipient, sum, hour)
    where h.tenant_id = ${tx.context.tenant}::uuid and h.form_id = ${formId}::uuid
      and h.recipient = decode(given.recipient, 'hex') and h.hour = given.hour`);
}
