import type { TenantContext } from '@steward/sql';
import { aboveAllNumbers, page, type Page, type PageRequest } from '@steward/sql';
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

/** The latest number first, which is their cursor. */
export async function listPayments(
  context: TenantContext,
  filter: PaymentFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<Payment>> {
  const rows = await context.require(readBooks).read(
    selectPayments(
      `y.tenant_id = $1::uuid and y.number < $2::bigint and ($3::uuid is null or y.party_id = $3)
         and ($4::text is null or y.direction = $4) and ($5::date is null or y.date >= $5) and ($6::date is null or y.date <= $6)
         and (not $7::boolean or i.open_amount > 0)
       order by y.number desc limit $8::int`,
      [
        context.tenant,
        cursor ?? aboveAllNumbers,
        filter.partyId ?? null,
        filter.direction ?? null,
        filter.from ?? null,
        filter.to ?? null,
        filter.open ?? false,
        limit + 1,
      ],
    ),
  );
  return page(rows, limit, presentPayment, (_item, { number }) => String(number));
}
