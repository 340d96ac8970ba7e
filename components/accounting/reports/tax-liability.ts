import { heavily, operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { money, type Money } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { readBooks } from '../permissions.ts';
import { type Basis, basis } from './cash-basis.ts';
import type { Span } from '../periods/span.ts';
import { period, spansOf } from './statements.ts';

/** In the base currency, as the documents were posted; credits are taken off. */
const taxSums = z.object({
  salesNet: moneyShape,
  salesTax: moneyShape,
  purchasesNet: moneyShape,
  purchasesTax: moneyShape,
});
export type TaxSums = Fixed<z.output<typeof taxSums>>;

const row = z.object({
  taxId: z.uuid(),
  name: z.string(),
  percentage: z.string(),
  ...taxSums.shape,
  /** The same of the period compared with. */
  compared: taxSums.nullable(),
});

const untaxed = taxSums.pick({ salesNet: true, purchasesNet: true });

export const taxReport = z.object({
  rows: z.array(row),
  /** Lines of documents without a tax rate, as of exports: with the rows they are all that was sold and bought. */
  untaxed,
  comparedUntaxed: untaxed.nullable(),
  /** Tax on sales less tax on purchases that is recovered. */
  due: moneyShape,
  comparedDue: moneyShape.nullable(),
});

interface Row extends Record<string, unknown> {
  readonly base_currency: string;
  readonly tax_id: string | null;
  readonly name: string;
  readonly percentage: string;
  readonly sales_net: bigint;
  readonly sales_tax: bigint;
  readonly purchases_net: bigint;
  readonly purchases_tax: bigint;
}

/**
 * Tax by rate over a period, and what was sold and bought without any: of documents issued in it (accrual), or of what of them was settled in it (cash). A document that was
 * voided is taken off in the month of the void, so that no report of a month that was closed changes; tax on purchases counts where
 * it is recovered.
 */
export const taxLiability = operation(
  {
    ...reads,
    requires: heavily(readBooks),
    area: 'reports',
    name: 'service_get_tax_liability',
    input: period.extend({ basis }),
    answer: taxReport.extend({ from: z.string(), to: z.string() }),
  },
  async (scope, { basis: wanted, ...wish }) => {
    const { from, to } = wish;
    const [now = [], then] = (await scope.readAll(
      spansOf(wish).map((one) => taxes(scope.context.tenant, one, wanted)),
    )) as unknown as Row[][];
    const currency = now[0]?.base_currency ?? 'USD';
    const shown = (minor: bigint): Money => money(minor, currency);
    const sumsOf = (row: Row | undefined): TaxSums => ({
      salesNet: shown(row?.sales_net ?? 0n),
      salesTax: shown(row?.sales_tax ?? 0n),
      purchasesNet: shown(row?.purchases_net ?? 0n),
      purchasesTax: shown(row?.purchases_tax ?? 0n),
    });
    const due = (rows: readonly Row[]): Money =>
      shown(rows.reduce((sum, { sales_tax, purchases_tax }) => sum + sales_tax - purchases_tax, 0n));
    const withoutTax = (rows: readonly Row[]): Pick<TaxSums, 'salesNet' | 'purchasesNet'> => {
      const { salesNet, purchasesNet } = sumsOf(rows.find(({ tax_id }) => tax_id === null));
      return { salesNet, purchasesNet };
    };
    const [own, other] = [byTax(now), byTax(then ?? [])];
    const rates = new Map([...other, ...own]);
    return {
      from,
      to,
      rows: [...rates.values()]
        .toSorted((a, b) => (a.name === b.name ? (a.tax_id < b.tax_id ? -1 : 1) : a.name < b.name ? -1 : 1))
        .map(({ tax_id, name, percentage }) => ({
          taxId: tax_id,
          name,
          percentage,
          ...sumsOf(own.get(tax_id)),
          compared: then === undefined ? null : sumsOf(other.get(tax_id)),
        })),
      untaxed: withoutTax(now),
      comparedUntaxed: then === undefined ? null : withoutTax(then),
      due: due(now),
      comparedDue: then === undefined ? null : due(then),
    };
  },
);

const byTax = (rows: readonly Row[]): Map<string, Row & { tax_id: string }> =>
  new Map(rows.flatMap((row) => (row.tax_id === null ? [] : [[row.tax_id, { ...row, tax_id: row.tax_id }]])));

/**
 * What each document's entry posted to the accounts of its taxes, by the part of the document that counts in the period: the one
 * rounding is the posting's. Where taxes share an account, with one another or with a line, its sum is split by what the document
 * says of each, as the difference of rounded running sums. What is left of the document's worth is net, split likewise.
 */
const taxes = (tenant: string, { from, to }: Span, by: Basis = 'accrual'): Statement => sql`
  with counted as (
    select d.document_id, d.kind, d.entry_id, d.total::numeric as total, d.base_total::numeric as base_total, part.late, part.early,
      d.kind in ('invoice', 'credit_note') as sale, case when d.kind in ('invoice', 'bill') then 1 else -1 end as sign,
      case when d.kind in ('invoice', 'supplier_credit') then 1 else -1 end as credited
    from accounting.document d
    join accounting.item i on i.tenant_id = d.tenant_id and i.item_id = d.document_id,
    lateral (
      select ((d.issue_date <= ${to}::date)::int - (coalesce(i.void_on, 'infinity') <= ${to}::date)::int) * d.total::numeric,
        ((d.issue_date < ${from}::date)::int - (coalesce(i.void_on, 'infinity') < ${from}::date)::int) * d.total::numeric
      where ${by} = 'accrual'
      union all
      select coalesce(sum(a.amount) filter (where a.date <= ${to}::date and (a.undone_on is null or a.undone_on > ${to}::date)), 0),
        coalesce(sum(a.amount) filter (where a.date < ${from}::date and (a.undone_on is null or a.undone_on >= ${from}::date)), 0)
      from accounting.allocation a
      where ${by} = 'cash' and a.tenant_id = d.tenant_id and d.document_id in (a.charge_id, a.credit_id)
      having ${by} = 'cash') part (late, early)
    where d.tenant_id = ${tenant}::uuid and d.entry_id is not null and part.late <> part.early
  ), said as (
    select c.document_id, l.tax_id, case when c.sale then t.sales_account_id else t.purchase_account_id end as account_id,
      sum(l.net) as net, sum(l.tax) as tax
    from counted c
    join accounting.document_line l on l.tenant_id = ${tenant}::uuid and l.document_id = c.document_id
    left join accounting.tax t on t.tenant_id = l.tenant_id and t.tax_id = l.tax_id
    group by 1, 2, 3
  ), running as (
    select s.*, sum(s.tax) over own as upto, sum(s.net) over whole as net_upto,
      sum(s.tax) over (partition by s.document_id, s.account_id) as on_account
    from said s
    window own as (partition by s.document_id, s.account_id order by s.tax_id),
      whole as (partition by s.document_id order by s.tax_id)
  ), posted as (
    select r.*, c.kind, c.total, c.base_total, c.sign, c.late, c.early, case when r.account_id is null then 0
      -- Of a document without any tax on this account by its sum, the parts still go by the document's rate.
      when r.on_account + other.amount = 0
        then round(r.upto * c.base_total / c.total) - round((r.upto - r.tax) * c.base_total / c.total)
      else round(moved.base * r.upto / (r.on_account + other.amount))
        - round(moved.base * (r.upto - r.tax) / (r.on_account + other.amount)) end as base_tax
    from running r
    join counted c on c.document_id = r.document_id
    cross join lateral (
      select c.credited * coalesce(sum(case p.credit_account_id when r.account_id then p.base_amount else -p.base_amount end), 0)
      from accounting.posting p
      where p.tenant_id = ${tenant}::uuid and p.entry_id = c.entry_id and r.account_id in (p.credit_account_id, p.debit_account_id)) moved (base)
    cross join lateral (
      select coalesce(sum(l.net), 0) from accounting.document_line l
      where l.tenant_id = ${tenant}::uuid and l.document_id = r.document_id and l.account_id = r.account_id) other (amount)
  ), valued as (
    select p.*, p.base_total - sum(p.base_tax) over whole as rest,
      p.total - sum(case when p.account_id is null then 0 else p.tax end) over whole as untaxed
    from posted p window whole as (partition by p.document_id)
  ), worth as (
    select v.kind, v.tax_id, v.sign, v.late / v.total as late, v.early / v.total as early, v.base_tax as tax,
      case when v.untaxed = 0
        then round(v.net_upto * v.base_total / v.total) - round((v.net_upto - v.net) * v.base_total / v.total)
        else round(v.rest * v.net_upto / v.untaxed) - round(v.rest * (v.net_upto - v.net) / v.untaxed) end as net
    from valued v
  )
  select b.base_currency, t.tax_id, t.name, trim_scale(t.percentage)::text as percentage,
    coalesce(sum(s.net) filter (where s.kind in ('invoice', 'credit_note')), 0)::bigint as sales_net,
    coalesce(sum(s.tax) filter (where s.kind in ('invoice', 'credit_note')), 0)::bigint as sales_tax,
    coalesce(sum(s.net) filter (where s.kind in ('bill', 'supplier_credit')), 0)::bigint as purchases_net,
    coalesce(sum(s.tax) filter (where s.kind in ('bill', 'supplier_credit')), 0)::bigint as purchases_tax
  from accounting.book b
  left join (
    select kind, tax_id, sign * (round(net * late) - round(net * early)) as net, sign * (round(tax * late) - round(tax * early)) as tax
    from worth) s on true
  left join accounting.tax t on t.tenant_id = b.tenant_id and t.tax_id = s.tax_id
  where b.tenant_id = ${tenant}::uuid
  group by b.base_currency, t.tax_id, t.name, t.percentage order by t.name, t.tax_id`;
