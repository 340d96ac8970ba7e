import type { PostalAddress } from '@steward/orders';
import { sql, type TenantContext } from '@steward/sql';
import { serveBuyers } from '../permissions.ts';

const most = 20;

/** For the official suite of a protocol: where tests of the same e-mail address had goods sent, the first one first: at most 20, and nothing of live checkouts. */
export async function addressesOfTests(
  context: TenantContext,
  brandId: string,
  email: string,
): Promise<readonly PostalAddress[]> {
  const rows = await context.require(serveBuyers).read<{ shipping_address: PostalAddress }>(sql`
    select shipping_address from checkout.session where tenant_id = ${context.tenant}::uuid and brand_id = ${brandId}::uuid and mode = 'test'
      and coalesce(email, door_state ->> 'email') = ${email} and shipping_address is not null order by created_at, checkout_id limit ${most}`);
  return rows.map(({ shipping_address: address }) => address);
}
