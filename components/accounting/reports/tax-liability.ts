import { money, type Money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { inOrder, type Span } from './statements.ts';

export interface TaxLiabilityRow {
  readonly taxId: string;
  readonly name: string;
  readonly percentage: string;
  /** In the base currency at the documents' own rates; credits are taken off. */
  readonly salesNet: Money;
  readonly salesTax: Money;
  readonly purchasesNet: Money;
  readonly purchasesTax: Money;
}

export interface TaxLiability {
  readonly rows: readonly TaxLiabilityRow[];
  /** Tax on sales less tax on purchases that is recovered. */
  readonly due: Money;
}

/**
 * Tax by rate over documents issued in a period (accrual). Voided documents do not count; tax on purchases counts where it
 * is recovered.
 */
export async function taxLiability(context: TenantContext, { from, to }: Span): Promise<TaxLiability> {
  inOrder({ from, to });
  const rows = await context.require(readBooks).read<{
    base_currency: string;
    tax_id: string | null;
    name: string;
    percentage: string;
    sales_net: bigint;
    sales_tax: bigint;
    purchases_net: bigint;
    purchases_tax: bigint;
  }>(sql`
    select b.base_currency, t.tax_id, t.name, trim_scale(t.percentage)::text as percentage,
      coalesce(sum(s.net) filter (where s.kind in ('invoice', 'credit_note')), 0)::bigint as sales_net,
      coalesce(sum(s.tax) filter (where s.kind in ('invoice', 'credit_note')), 0)::bigint as sales_tax,
      coalesce(sum(s.net) filter (where s.kind in ('bill', 'supplier_credit')), 0)::bigint as purchases_net,
      coalesce(sum(s.tax) filter (where s.kind in ('bill', 'supplier_credit') and t.purchase_account_id is not null), 0)::bigint as purchases_tax
    from accounting.book b left join (
      select d.tenant_id, l.tax_id, d.kind,
        round(case when d.kind in ('invoice', 'bill') then l.net else -l.net end * d.base_total::numeric / d.total) as net,
        round(case when d.kind in ('invoice', 'bill') then l.tax else -l.tax end * d.base_total::numeric / d.total) as tax
      from accounting.document d join accounting.document_line l on l.tenant_id = d.tenant_id and l.document_id = d.document_id
      where d.tenant_id = ${context.tenant}::uuid and d.status = 'issued' and l.tax_id is not null
        and d.issue_date >= ${from}::date and d.issue_date <= ${to}::date) s on s.tenant_id = b.tenant_id
    left join accounting.tax t on t.tenant_id = b.tenant_id and t.tax_id = s.tax_id
    where b.tenant_id = ${context.tenant}::uuid
    group by b.base_currency, t.tax_id, t.name, t.percentage order by t.name, t.tax_id`);
  const currency = rows[0]?.base_currency ?? 'USD';
  const shown = (minor: bigint): Money => money(minor, currency);
  const due = rows.reduce((sum, { sales_tax, purchases_tax }) => sum + sales_tax - purchases_tax, 0n);
  return {
    rows: rows.flatMap(({ tax_id, name, percentage, ...sums }) =>
      tax_id === null
        ? []
        : [
            {
              taxId: tax_id,
              name,
              percentage,
              salesNet: shown(sums.sales_net),
              salesTax: shown(sums.sales_tax),
              purchasesNet: shown(sums.purchases_net),
              purchasesTax: shown(sums.purchases_tax),
            },
          ],
    ),
    due: shown(due),
  };
}
