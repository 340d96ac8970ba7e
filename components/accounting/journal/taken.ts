import type { RecordedEvent } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Outflow, Taken } from '@steward/tools';

/** What each entry is recorded as, where it is posted. */
export const posted = 'accounting.entry.posted';

/** `money`: bank, cash, card and what is on its way to them. `value`: what else can pay, such as a loan or drawings. */
type Kind = 'money' | 'receivable' | 'payable' | 'value' | 'result';

interface Moved {
  readonly account: string;
  readonly kind: Kind;
  /** The currency that the account keeps. */
  readonly keeps: string;
  /** Null for what the postings were worth in the base currency. */
  readonly currency: string;
  readonly change: bigint;
  /** The same by the rates that the books have today, since an entry names a rate and a day of its own; as posted where they have none. */
  readonly stored: bigint;
}

/**
 * What the entries that a transaction recorded took out, taken together, whichever verbs posted them; undefined where nothing
 * left and no debt was brought down. Every entry is recorded where it is posted, so none escapes.
 */
export async function taken(tx: TenantTransaction, events: readonly RecordedEvent[]): Promise<Taken | undefined> {
  const entries = events
    .filter(({ type }) => type === posted)
    .map(({ payload }) => String((payload as { entry_id: string }).entry_id));
  if (entries.length === 0) return undefined;
  const moved = await movedBy(tx, entries);
  const currencies = [...new Set(moved.map(({ currency }) => currency))];
  const flows = currencies
    .map((currency) => {
      const ofThis = moved.filter((one) => one.currency === currency);
      const posted = outflow(currency, ofThis);
      const worth = outflow(
        currency,
        ofThis.map((one) => ({ ...one, change: one.stored })),
      );
      return { currency, out: most(posted.out, worth.out), owed: most(posted.owed, worth.owed) };
    })
    .filter(({ out, owed }) => out > 0n || owed > 0n);
  return flows.length === 0 ? undefined : { flows, to: destination(moved) };
}

/**
 * Net by account. What is paid and what pays it are read as one where an entry leaves it open, so that money which comes in
 * at the same time hides nothing that goes out; a transfer from bank to bank takes nothing, if both keep one currency: between others
 * the rate says what arrives, and it counts as paid.
 */
function outflow(currency: string, moved: readonly Moved[]): Outflow {
  const sum = (fits: (one: Moved) => boolean, sign: 1n | -1n): bigint =>
    moved.reduce((total, one) => (fits(one) && one.change * sign > 0n ? total + one.change * sign : total), 0n);
  const of = (kind: Kind, sign: 1n | -1n): bigint => sum((one) => one.kind === kind, sign);
  const [moneyIn, moneyOut] = [of('money', 1n), of('money', -1n)];
  const paid = least(moneyOut, sum(takes(moved), 1n));
  const forgiven = most(of('receivable', -1n) - moneyIn, 0n);
  const settled = most(of('payable', 1n) - moneyOut, 0n);
  const otherwise = least(forgiven, of('value', 1n)) + least(settled, of('value', -1n));
  return { currency, out: paid + otherwise, owed: forgiven + settled - otherwise };
}

/** Whether what an account gets is paid to it: to any but money, and to money of another currency than it came from. */
function takes(moved: readonly Moved[]): (one: Moved) => boolean {
  const from = new Set(moved.filter(({ kind, change }) => kind === 'money' && change < 0n).map(({ keeps }) => keeps));
  return ({ kind, keeps }) => kind !== 'money' || from.size > 1 || (from.size === 1 && !from.has(keeps));
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Control accounts are everybody's: they do not say who has it. */
function destination(moved: readonly Moved[]): string | undefined {
  const isPaid = takes(moved);
  const ends = moved.filter((one) => isPaid(one) && one.change > 0n);
  if (ends.length === 0 || ends.some(({ kind }) => kind === 'receivable' || kind === 'payable')) return undefined;
  return [...new Set(ends.map(({ account }) => account))].toSorted().join(' ');
}

/** The kind of an account `a`. */
const kindOf = `case
    when a.activity = 'cash' or a.control in ('bank', 'undeposited', 'clearing') then 'money'
    when a.control in ('receivable', 'payable') then a.control
    when a.type in ('asset', 'liability', 'equity') and coalesce(a.control not in ('tax_payable', 'tax_recoverable'), true) then 'value'
    else 'result' end`;

/**
 * Whether the entry `y` is the difference of an allocation, or its mirror, between two of one rate: cents of rounding. Any other
 * difference is what a rate makes, and whoever pays chooses the rate.
 */
const rounding = `coalesce(y.kind in ('exchange', 'reversal') and (
    select count(distinct o.rate) = 1
    from accounting.allocation l
    cross join lateral (
      select p.rate from accounting.payment p where p.tenant_id = l.tenant_id and p.payment_id in (l.credit_id, l.charge_id)
      union all
      select d.rate from accounting.document d where d.tenant_id = l.tenant_id and d.document_id in (l.credit_id, l.charge_id)) o
    where l.tenant_id = y.tenant_id and l.entry_id = coalesce(y.reverses, y.entry_id)), false)`;

/**
 * The result of `taken` for entries that have been posted, as a query for verification: `tenant_id`, `posting`, `currency`, `taken`, `owed`, and
 * `by_rate` if it counts entries in other currencies in the base currency: by the rates stored at that time it may have been more.
 * @param postings a query of `tenant_id`, `posting` (any value that distinguishes transactions) and `entry_id`
 */
export const takenRows = (postings: string): string => `
  select tenant_id, posting, currency, by_rate, least(money_out, others_in) + otherwise as taken, forgiven + settled - otherwise as owed
  from (
    select *, least(forgiven, value_in) + least(settled, value_out) as otherwise
    from (
      select tenant_id, posting, currency, bool_or(by_rate) as by_rate,
        coalesce(-sum(change) filter (where kind = 'money' and change < 0), 0) as money_out,
        coalesce(sum(change) filter (where change > 0 and (kind <> 'money' or keeps <> from_first or keeps <> from_last)), 0) as others_in,
        greatest(coalesce(-sum(change) filter (where kind = 'receivable' and change < 0), 0)
          - coalesce(sum(change) filter (where kind = 'money' and change > 0), 0), 0) as forgiven,
        greatest(coalesce(sum(change) filter (where kind = 'payable' and change > 0), 0)
          - coalesce(-sum(change) filter (where kind = 'money' and change < 0), 0), 0) as settled,
        coalesce(sum(change) filter (where kind = 'value' and change > 0), 0) as value_in,
        coalesce(-sum(change) filter (where kind = 'value' and change < 0), 0) as value_out
      from (
        select *, min(keeps) filter (where kind = 'money' and change < 0) over posted as from_first,
          max(keeps) filter (where kind = 'money' and change < 0) over posted as from_last
        from (
        select w.tenant_id, w.posting, w.currency, w.by_rate, w.change, a.currency as keeps, ${kindOf} as kind
        from (
          select g.tenant_id, g.posting, c.currency, s.account_id, bool_or(c.by_rate) as by_rate, sum(s.sign * c.amount) as change
          from (${postings}) g
          join accounting.entry y on y.tenant_id = g.tenant_id and y.entry_id = g.entry_id
          join accounting.book b on b.tenant_id = g.tenant_id
          join accounting.posting p on p.tenant_id = y.tenant_id and p.entry_id = y.entry_id and not ${rounding}
          cross join lateral (values (p.debit_account_id, 1), (p.credit_account_id, -1)) as s (account_id, sign)
          cross join lateral (
            select b.base_currency, p.base_amount, y.currency <> b.base_currency
            union all select y.currency, p.amount, false where y.currency <> b.base_currency) as c (currency, amount, by_rate)
          group by g.tenant_id, g.posting, c.currency, s.account_id) w
        join accounting.account a on a.tenant_id = w.tenant_id and a.account_id = w.account_id) n
        window posted as (partition by tenant_id, posting, currency)) k
      group by tenant_id, posting, currency) sums) flows
  where least(money_out, others_in) + otherwise > 0 or forgiven + settled - otherwise > 0`;

/** Changes by account, in the currency of the postings and in the base currency; once where the two are one. */
async function movedBy(tx: TenantTransaction, entries: readonly string[]): Promise<Moved[]> {
  const rows = await tx.query<{
    account: string;
    kind: Kind;
    keeps: string;
    currency: string;
    change: bigint;
    stored: bigint;
  }>(
    statement(
      `with side as (
      select v.account_id, y.currency, v.sign * p.amount as amount, v.sign * p.base_amount as base_amount,
        v.sign * coalesce(p.amount * r.factor, p.base_amount) as stored
      from accounting.entry y join accounting.posting p on p.tenant_id = y.tenant_id and p.entry_id = y.entry_id
      cross join lateral (values (p.debit_account_id, 1), (p.credit_account_id, -1)) as v (account_id, sign)
      left join lateral (
        select r.rate * ('1e' || accounting.minor_digits(b.base_currency) - accounting.minor_digits(r.currency))::numeric as factor
        from accounting.book b join accounting.rate r on r.tenant_id = b.tenant_id
        where b.tenant_id = y.tenant_id and r.currency = y.currency and r.day <= current_date and r.rate <> y.rate
          and not exists (select from accounting.rate n
            where n.tenant_id = r.tenant_id and n.currency = r.currency and n.day > r.day and n.day <= current_date)) r on true
      where y.tenant_id = $1::uuid and y.entry_id = any ($2::uuid[]) and not ${rounding}
    ), worth as (
      select account_id, currency, false as base, sum(amount) as change, sum(amount) as stored from side group by account_id, currency
      union all
      select s.account_id, b.base_currency, true, sum(s.base_amount),
        greatest(least(round(sum(s.stored)), 1e17), -1e17)
      from side s join accounting.book b on b.tenant_id = $1::uuid group by s.account_id, b.base_currency
    )
    select a.account_id as account, ${kindOf} as kind, a.currency as keeps, w.currency, w.change::bigint as change, w.stored::bigint as stored
    from worth w join accounting.account a on a.tenant_id = $1::uuid and a.account_id = w.account_id
    where w.base or w.currency <> (select base_currency from accounting.book where tenant_id = $1::uuid)`,
      [tx.context.tenant, entries],
    ),
  );
  return rows.filter(({ change, stored }) => change !== 0n || stored !== 0n);
}
