import { money, type Money } from '@steward/kernel';
import { sql, type Statement, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import type { Basis } from './cash-basis.ts';
import { inOrder, type Span } from './statements.ts';

export interface TaxSums {
  /** In the base currency at the documents' own rates; credits are taken off. */
  readonly salesNet: Money;
  readonly salesTax: Money;
  readonly purchasesNet: Money;
  readonly purchasesTax: Money;
}

export interface TaxLiabilityRow extends TaxSums {
  readonly taxId: string;
  readonly name: string;
  readonly percentage: string;
  /** The same of the period compared with. */
  readonly compared: TaxSums | null;
}

export interface TaxLiability {
  readonly rows: readonly TaxLiabilityRow[];
  /** Tax on sales less tax on purchases that is recovered. */
  readonly due: Money;
  readonly comparedDue: Money | null;
}

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
 * Tax by rate over a period: of documents issued in it (accrual), or of what of them was settled in it (cash). Voided documents
 * do not count; tax on purchases counts where it is recovered.
 */
export async function taxLiability(
  context: TenantContext,
  span: Span,
  { compare, basis = 'accrual' }: { readonly compare?: Span | undefined; readonly basis?: Basis | undefined } = {},
): Promise<TaxLiability> {
  const spans = [span, ...(compare === undefined ? [] : [compare])];
  spans.forEach(inOrder);
  const [now = [], then] = (await context
    .require(readBooks)
    .readAll(spans.map((one) => taxes(context.tenant, one, basis)))) as unknown as Row[][];
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
  const [own, other] = [byTax(now), byTax(then ?? [])];
  const rates = new Map([...other, ...own]);
  return {
    rows: [...rates.values()]
      .toSorted((a, b) => (a.name === b.name ? (a.tax_id < b.tax_id ? -1 : 1) : a.name < b.name ? -1 : 1))
      .map(({ tax_id, name, percentage }) => ({
        taxId: tax_id,
        name,
        percentage,
        ...sumsOf(own.get(tax_id)),
        compared: then === undefined ? null : sumsOf(other.get(tax_id)),
      })),
    due: due(now),
    comparedDue: then === undefined ? null : due(then),
  };
}

const byTax = (rows: readonly Row[]): Map<string, Row & { tax_id: string }> =>
  new Map(rows.flatMap((row) => (row.tax_id === null ? [] : [[row.tax_id, { ...row, tax_id: row.tax_id }]])));

/** Each line by the part of its document that counts in the period, rounded on what has counted in all. */
const taxes = (tenant: string, { from, to }: Span, basis: Basis): Statement => sql`
  select b.base_currency, t.tax_id, t.name, trim_scale(t.percentage)::text as percentage,
    coalesce(sum(s.net) filter (where s.kind in ('invoice', 'credit_note')), 0)::bigint as sales_net,
    coalesce(sum(s.tax) filter (where s.kind in ('invoice', 'credit_note')), 0)::bigint as sales_tax,
    coalesce(sum(s.net) filter (where s.kind in ('bill', 'supplier_credit')), 0)::bigint as purchases_net,
    coalesce(sum(s.tax) filter (where s.kind in ('bill', 'supplier_credit') and t.purchase_account_id is not null), 0)::bigint as purchases_tax
  from accounting.book b left join (
    select d.tenant_id, l.tax_id, d.kind,
      round(base.net * part.late / d.total / d.total) - round(base.net * part.early / d.total / d.total) as net,
      round(base.tax * part.late / d.total / d.total) - round(base.tax * part.early / d.total / d.total) as tax
    from accounting.document d
    join accounting.document_line l on l.tenant_id = d.tenant_id and l.document_id = d.document_id,
    lateral (
      select case when d.kind in ('invoice', 'bill') then l.net else -l.net end * d.base_total::numeric,
        case when d.kind in ('invoice', 'bill') then l.tax else -l.tax end * d.base_total::numeric) base (net, tax),
    lateral (
      select (d.issue_date <= ${to}::date)::int * d.total::numeric, (d.issue_date < ${from}::date)::int * d.total::numeric
      where ${basis} = 'accrual'
      union all
      select coalesce(sum(a.amount) filter (where a.date <= ${to}::date and (a.undone_on is null or a.undone_on > ${to}::date)), 0),
        coalesce(sum(a.amount) filter (where a.date < ${from}::date and (a.undone_on is null or a.undone_on >= ${from}::date)), 0)
      from accounting.allocation a
      where ${basis} = 'cash' and a.tenant_id = d.tenant_id and d.document_id in (a.charge_id, a.credit_id)
      having ${basis} = 'cash') part (late, early)
    where d.tenant_id = ${tenant}::uuid and d.status = 'issued' and l.tax_id is not null and d.total <> 0
      and part.late <> part.early) s on s.tenant_id = b.tenant_id
  left join accounting.tax t on t.tenant_id = b.tenant_id and t.tax_id = s.tax_id
  where b.tenant_id = ${tenant}::uuid
  group by b.base_currency, t.tax_id, t.name, t.percentage order by t.name, t.tax_id`;
