import { sql, type Statement, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import type { AccountType } from '../books/template.ts';
import { movements } from './movements.ts';

/** When income, expenses and what belongs to them count: when they are earned and owed, or when they are paid. */
export const bases = ['accrual', 'cash'] as const;
export type Basis = (typeof bases)[number];
export const basis = z.enum(bases).optional().meta({
  default: 'accrual',
  description: 'accrual: documents count on their issue date. cash: the settled part counts, on the day of settlement.',
});

/** Debits less credits of an account, in minor units of the base currency. */
export interface Net {
  readonly account_id: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly control: string | null;
  readonly base_currency: string;
  readonly net: bigint;
}

export interface Reach {
  /** Undefined: from the beginning. Both days are counted in. */
  readonly from?: string | undefined;
  readonly to: string;
}

export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/**
 * What the books have at the end of a day that the cash basis does not count yet: of each document the part that is not
 * settled, with its amount on receivables or payables, and the revaluation of that day. It is rounded on
 * the total of what has been settled, and from account to account, so that parts add up to what was settled, and to the document in the end.
 */
const notYet = (asOf: string): Statement => sql`
  with documents as (
    select d.tenant_id, d.entry_id, d.total, coalesce((
      select sum(a.amount) from accounting.allocation a
      where a.tenant_id = d.tenant_id and d.document_id in (a.charge_id, a.credit_id)
        and a.date <= ${asOf}::date and (a.undone_on is null or a.undone_on > ${asOf}::date)), 0) as settled
    from accounting.item i join accounting.document d on d.tenant_id = i.tenant_id and d.document_id = i.item_id
    where i.opened_on <= ${asOf}::date and (i.void_on is null or i.void_on > ${asOf}::date)
      and (i.open_amount > 0 or i.moved_on > ${asOf}::date)),
  sides as (
    select p.tenant_id, p.entry_id, s.account_id, sum(s.base) as net
    from accounting.posting p, lateral (values (p.debit_account_id, p.base_amount), (p.credit_account_id, -p.base_amount)) s (account_id, base)
    where p.entry_id in (select entry_id from documents)
    group by p.tenant_id, p.entry_id, s.account_id),
  shares as (
    select x.entry_id, x.account_id, x.net, d.settled, d.total,
      sum(x.net) over (partition by x.entry_id order by a.code) as through
    from documents d join sides x on x.tenant_id = d.tenant_id and x.entry_id = d.entry_id
    join accounting.account a on a.tenant_id = x.tenant_id and a.account_id = x.account_id
    where a.control is null or a.control not in ('receivable', 'payable')),
  open as (
    select entry_id, account_id,
      net - round(through * settled / total) + round((through - net) * settled / total) as net
    from shares),
  against as (
    select x.account_id, -o.net as net
    from (select entry_id, sum(net) as net from open group by entry_id) o
    join sides x on x.entry_id = o.entry_id
    join accounting.account a on a.tenant_id = x.tenant_id and a.account_id = x.account_id and a.control in ('receivable', 'payable')),
  revalued as (
    select s.account_id, s.base as net
    from accounting.posting p join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id and e.kind = 'revaluation',
      lateral (values (p.debit_account_id, p.base_amount), (p.credit_account_id, -p.base_amount)) s (account_id, base)
    where p.posting_date = ${asOf}::date)
  select account_id, sum(net)::bigint as net
  from (select account_id, net from open union all select account_id, net from against union all select account_id, net from revalued) n
  group by account_id`;

/** The last day of the fiscal years that were closed by the end of a day. */
const closedThrough = (asOf: string): Statement => sql`
  select max(posting_date)::text as day from accounting.entry where kind = 'closing' and posting_date <= ${asOf}::date`;

/**
 * Nets of every account over each reach, by code. On the cash basis a closed year carries forward what it made on that basis.
 * @param closing whether entries that carry a year's profit forward count
 */
export async function netsOf(
  scope: TenantScope,
  reaches: readonly Reach[],
  { basis = 'accrual', closing }: { readonly basis?: Basis | undefined; readonly closing: boolean },
): Promise<Net[][]> {
  const read = async (statements: readonly Statement[]): Promise<Net[][]> =>
    (await scope.readAll(statements)) as unknown as Net[][];
  if (basis === 'accrual') return read(reaches.map((reach) => movements({ ...reach, closing })));
  const closed = closing
    ? ((await scope.readAll(reaches.map(({ to }) => closedThrough(to)))) as unknown as { day: string | null }[][])
    : [];
  const wanted = reaches.map((reach, at) => {
    const through = closed[at]?.[0]?.day ?? undefined;
    return [reach, ...(through === undefined ? [] : [{ to: through }])] as const;
  });
  const found = await read(
    wanted.flat().flatMap(({ from, to }: Reach) => [
      movements({ from, to, closing: false }),
      notYet(to),
      // Nothing at all was before the beginning.
      notYet(from === undefined ? '0001-01-01' : dayBefore(from)),
    ]),
  );
  const paid = wanted.flat().map((_, at) => settledOf(found.slice(3 * at, 3 * at + 3)));
  return wanted.map(([, year]) => {
    const rows = paid.shift() ?? [];
    return year === undefined ? rows : carried(rows, paid.shift() ?? []);
  });
}

function settledOf([moved = [], late = [], early = []]: readonly Net[][]): Net[] {
  const by = (rows: readonly Net[]) => new Map(rows.map(({ account_id, net }) => [account_id, net]));
  const [open, before] = [by(late), by(early)];
  return moved.map((row) => ({
    ...row,
    net: row.net - (open.get(row.account_id) ?? 0n) + (before.get(row.account_id) ?? 0n),
  }));
}

const isEarning = ({ type }: Net): boolean => type === 'income' || type === 'expense';

/** Retained earnings contain the result of the closed years. */
function carried(rows: readonly Net[], through: readonly Net[]): Net[] {
  const before = new Map(through.filter(isEarning).map(({ account_id, net }) => [account_id, net]));
  const sum = [...before.values()].reduce((total, net) => total + net, 0n);
  return rows.map((row) => ({
    ...row,
    net: row.net - (before.get(row.account_id) ?? 0n) + (row.control === 'retained_earnings' ? sum : 0n),
  }));
}
