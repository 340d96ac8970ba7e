import { heavily } from '@steward/access';
import { money, type Money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { readTaxForms } from '../permissions.ts';
import { type Box, boxTitles, thresholdOf } from './box.ts';
import type { W9Status } from './taxpayer.ts';

export interface Form1099Row {
  readonly partyId: string;
  readonly name: string;
  readonly box: Box;
  readonly title: string;
  /** Paid in the year by other means than card or network, less what came back. */
  readonly paid: Money;
  /** Paid by card or network: reported by those. */
  readonly excluded: Money;
  readonly threshold: Money;
  readonly reportable: boolean;
  readonly w9: W9Status | null;
  readonly tinLast4: string | null;
  /** What keeps the form from being filed: no W-9, no number, or one that did not match; 24 % is withheld meanwhile. */
  readonly missing: readonly string[];
}

/**
 * What a year's Forms 1099-NEC and 1099-MISC would say, by supplier. Suppliers whose W-9 makes them exempt are left out.
 * @param year calendar year by the day of payment
 * @throws Problem `books_not_usd` (409)
 */
export async function summary1099(context: TenantContext, year: number): Promise<Form1099Row[]> {
  const rows = await context.require(heavily(readTaxForms)).read<{
    base_currency: string;
    party_id: string | null;
    name: string;
    box: Box | null;
    status: W9Status | null;
    tin_last4: string | null;
    paid: bigint;
    excluded: bigint;
  }>(sql`
    select b.base_currency, p.party_id, p.name, t.box, t.status, t.tin_last4,
      coalesce(sum(case when y.direction = 'made' then y.base_amount else -y.base_amount end)
        filter (where y.method not in ('card', 'network')), 0)::bigint as paid,
      coalesce(sum(case when y.direction = 'made' then y.base_amount else -y.base_amount end)
        filter (where y.method in ('card', 'network')), 0)::bigint as excluded
    from accounting.book b
    left join (accounting.payment y
      join accounting.item i on i.tenant_id = y.tenant_id and i.item_id = y.payment_id and i.side = 'payable'
      join accounting.party p on p.tenant_id = y.tenant_id and p.party_id = y.party_id
      left join accounting.taxpayer t on t.tenant_id = p.tenant_id and t.party_id = p.party_id)
      on y.tenant_id = b.tenant_id and y.void_on is null and y.date >= make_date(${year}::int, 1, 1)
        and y.date <= make_date(${year}::int, 12, 31) and coalesce(t.eligible, true)
    where b.tenant_id = ${context.tenant}::uuid
    group by b.base_currency, p.party_id, p.name, t.box, t.status, t.tin_last4 order by p.name, p.party_id`);
  if (rows[0]?.base_currency !== 'USD')
    throw booksFail('books_not_usd', 'Forms 1099 are of books in US dollars; these are not.');
  return rows.flatMap(({ party_id, name, box: own, status, tin_last4, paid, excluded }) => {
    if (party_id === null) return [];
    const box = own ?? 'nec_1';
    const threshold = thresholdOf(year, box);
    const missing = [
      ...(status === null || status === 'requested' ? ['w9'] : []),
      ...(status === 'failed' || status === 'expired' ? [`w9_${status}`] : []),
      ...(tin_last4 === null ? ['tin'] : []),
    ];
    return [
      {
        partyId: party_id,
        name,
        box,
        title: boxTitles[box],
        paid: money(paid, 'USD'),
        excluded: money(excluded, 'USD'),
        threshold: money(threshold, 'USD'),
        reportable: paid >= threshold,
        w9: status,
        tinLast4: tin_last4,
        missing,
      },
    ];
  });
}
