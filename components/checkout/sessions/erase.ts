import { sql, type TenantTransaction } from '@steward/sql';

/** By e-mail addresses that the checkouts were given, and by their own ids. */
interface WhoseCheckouts {
  readonly addresses?: readonly string[];
  readonly checkoutIds?: readonly string[];
}

/**
 * Takes a person out of carts and checkouts, of what requests for them were answered, and of the digests that discounts are counted by; what was wanted and
 * what it came to stays. Of one that is being paid at this moment an order without a person comes.
 * @param whose.addresses texts that are no e-mail addresses are passed over
 * @returns how many checkouts that were
 */
export async function eraseBuyer(
  tx: TenantTransaction,
  { addresses = [], checkoutIds = [] }: WhoseCheckouts,
  reason: string,
): Promise<number> {
  const { tenant } = tx.context;
  const emails = addresses.filter((one) => one.includes('@')).map((one) => one.toLowerCase());
  if (emails.length + checkoutIds.length === 0) return 0;
  // Carts before checkouts, as by everybody who holds both.
  const [carts = [], , erased = []] = await tx.queryAll([
    sql`
      update checkout.cart set door_state = null, version = version + 1, updated_at = clock_timestamp()
      where tenant_id = ${tenant}::uuid and door_state is not null and cart_id in (
        select cart_id from checkout.cart where tenant_id = ${tenant}::uuid and (door_email = any (${emails}::text[]) or cart_id in (
          select cart_id from checkout.session
          where tenant_id = ${tenant}::uuid and (email = any (${emails}::text[]) or checkout_id = any (${checkoutIds}::uuid[]))))
        order by cart_id for no key update)
      returning cart_id, agent_id`,
    sql`select from checkout.session
      where tenant_id = ${tenant}::uuid and (email = any (${emails}::text[]) or checkout_id = any (${checkoutIds}::uuid[]))
      order by checkout_id for no key update`,
    sql`
      update checkout.session set email = null, name = null, phone = null, shipping_address = null, billing_address = null, vat_number = null,
        note = null, door_state = null, version = version + 1, updated_at = clock_timestamp(),
        agreed = agreed || jsonb_build_object('shippingAddress', null, 'billingAddress', null, 'note', null,
          'buyer', (agreed -> 'buyer') || '{"email": null, "name": null, "phone": null, "vatNumber": null}',
          'erased', jsonb_build_object('reason', ${reason}::text,
            'country', coalesce(agreed #>> '{shippingAddress,country}', agreed #>> '{billingAddress,country}')))
      where tenant_id = ${tenant}::uuid and (email = any (${emails}::text[]) or checkout_id = any (${checkoutIds}::uuid[]) and email is not null)
      returning checkout_id, cart_id, agent_id`,
  ]);
  const ids = [...new Set([...checkoutIds, ...erased.map((row) => String(row['checkout_id']))])];
  const stated = [...erased, ...carts];
  const scopes = [...ids, ...stated.flatMap(({ cart_id: cart }) => (cart === null ? [] : [String(cart)]))];
  const agents = stated.flatMap(({ agent_id: agent }) => (agent === null ? [] : [String(agent)]));
  if (scopes.length > 0) {
    tx.later(sql`
      update checkout.discount_use set buyer = sha256(uuid_send(gen_random_uuid()))
      where tenant_id = ${tenant}::uuid and use_id = any (${ids}::uuid[])`);
    tx.later(
      sql`delete from checkout.request where tenant_id = ${tenant}::uuid and (scope_id = any (${scopes}::uuid[])
        or scope_id = any (${agents}::uuid[]) and about_id = any (${scopes}::uuid[]))`,
    );
  }
  return erased.length;
}
