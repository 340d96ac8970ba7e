import { heavily, operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { booksFail } from '../errors.ts';
import { reads } from '../operations.ts';
import { readTaxForms } from '../permissions.ts';
import { type Box, boxes, boxTitles, thresholdOf } from './box.ts';
import { w9Statuses } from './taxpayer.ts';

const form1099 = z.object({
  partyId: z.uuid(),
  name: z.string(),
  box: z.enum(boxes),
  title: z.string(),
  /** Paid in the year by other means than card or network, less what came back. */
  paid: moneyShape,
  /** Paid by card or network: reported by those. */
  excluded: moneyShape,
  threshold: moneyShape,
  reportable: z.boolean(),
  w9: z.enum(w9Statuses).nullable(),
  tinLast4: z.string().nullable(),
  /** What keeps the form from being filed: no W-9, no number, or one that did not match; 24 % is withheld meanwhile. */
  missing: z.array(z.string()),
});

/**
 * What a year's Forms 1099-NEC and 1099-MISC would say, by supplier. Suppliers whose W-9 makes them exempt are left out.
 * The year is the calendar's, by the day of payment.
 * @throws Problem `books_not_usd` (409)
 */
export const summary1099 = operation(
  {
    ...reads,
    requires: heavily(readTaxForms),
    area: 'reports',
    name: 'service_get_1099_summary',
    input: z.strictObject({ year: z.int().min(2000).max(2100).meta({ description: 'Calendar year, such as 2026.' }) }),
    answer: z.object({ year: z.int(), suppliers: z.array(form1099) }),
    errors: { books_not_usd: null },
  },
  async (scope, { year }) => {
    const rows = await scope.read<{
      base_currency: string;
      party_id: string | null;
      name: string;
      box: Box | null;
      status: (typeof w9Statuses)[number] | null;
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
    where b.tenant_id = ${scope.context.tenant}::uuid
    group by b.base_currency, p.party_id, p.name, t.box, t.status, t.tin_last4 order by p.name, p.party_id`);
    if (rows[0]?.base_currency !== 'USD')
      throw booksFail(
        'books_not_usd',
        'Forms 1099 exist only for books in US dollars, and these books have another base currency.',
      );
    const suppliers = rows.flatMap(({ party_id, name, box: own, status, tin_last4, paid, excluded }) => {
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
    return { year, suppliers };
  },
);
