import type { TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { type Direction, type Payment, presentPayment, selectPayments } from './payment.ts';

export interface PaymentFilter {
  readonly partyId?: string | undefined;
  readonly direction?: Direction | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only those with something left to allocate. */
  readonly open?: boolean | undefined;
}

export interface PaymentPage {
  readonly items: Payment[];
  /** The sequence to go on below; null on the last page. */
  readonly nextCursor: string | null;
}

/** The latest number first. `limit` 1–200; `below` is the cursor of the page before. */
export async function listPayments(
  context: TenantContext,
  filter: PaymentFilter,
  page: { readonly limit: number; readonly below?: string | undefined },
): Promise<PaymentPage> {
  const rows = await context.require(readBooks).read(
    selectPayments(
      `y.tenant_id = $1::uuid and ($2::bigint is null or y.number < $2) and ($3::uuid is null or y.party_id = $3)
         and ($4::text is null or y.direction = $4) and ($5::date is null or y.date >= $5) and ($6::date is null or y.date <= $6)
         and (not $7::boolean or i.open_amount > 0)
       order by y.number desc limit $8::int`,
      [
        context.tenant,
        page.below ?? null,
        filter.partyId ?? null,
        filter.direction ?? null,
        filter.from ?? null,
        filter.to ?? null,
        filter.open ?? false,
        page.limit + 1,
      ],
    ),
  );
  const shown = rows.slice(0, page.limit);
  return {
    items: shown.map(presentPayment),
    nextCursor: rows.length > page.limit ? String(shown.at(-1)?.['number']) : null,
  };
}
