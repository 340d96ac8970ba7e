import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/**
 * What an order says, as the digests in its events: `tenant_id`, `key`, `mode` and `digest`. Verification makes the same from the rows, without any
 * function of the database.
 */
export const contents = {
  /** What was bought, and for how much. */
  order: `select o.tenant_id, o.order_id as key, o.mode, ${digestOf(`case when o.external_name is null then to_jsonb('order/v1'::text) else jsonb_build_array('order/v2', o.external_name) end, o.mode, o.number, o.checkout_id, o.brand_id, o.site_id,
      o.key_id, o.channel_id, o.locale, o.currency, o.pricing, o.marketing, o.country, o.shipping, o.discounts, o.taxes, o.subtotal, o.discount, o.net, o.tax, o.total, (
        select jsonb_agg(jsonb_build_array(l.line_id, l.product_id, l.variant_id, l.title, l.options, l.sku, l.image, l.tax_category, l.weight_grams,
          l.requires_shipping, l.quantity, l.unit_price, l.gross, l.discounts, l.net, l.tax, l.total, l.treatment, l.tax_id, l.percentage)
          order by l.position)
        from orders.line l where l.tenant_id = o.tenant_id and l.order_id = o.order_id)`)} as digest
    from orders.sales_order o`,
  buyer: `select o.tenant_id, o.order_id as key, o.mode, ${digestOf(`'buyer/v1', o.salt, o.email, o.name, o.phone, o.vat_number,
      o.shipping_address, o.billing_address, o.buyer_note`)} as digest
    from orders.sales_order o`,
  /** A version of an order that was edited. */
  version: `select v.tenant_id, v.order_id as key, v.version, o.mode, ${digestOf(`'version/v1', v.order_id, v.version, v.snapshot`)} as digest
    from orders.version v join orders.sales_order o on o.tenant_id = v.tenant_id and o.order_id = v.order_id`,
  /** Of orders that have one. It goes with the buyer, and so do tags. */
  note: `select o.tenant_id, o.order_id as key, o.mode, ${digestOf(`'note/v1', o.salt, o.note`)} as digest
    from orders.sales_order o where o.note is not null`,
  tags: `select o.tenant_id, o.order_id as key, o.mode, ${digestOf(`'tags/v1', o.salt, o.order_id, jsonb_agg(g.tag order by g.tag)`)} as digest
    from orders.sales_order o join orders.tag g on g.tenant_id = o.tenant_id and g.order_id = o.order_id
    group by o.tenant_id, o.order_id, o.mode, o.salt`,
  fulfilment: `select f.tenant_id, f.fulfilment_id as key, o.mode, ${digestOf(`'fulfilment/v1', o.salt, f.order_id, f.location_id, f.reference, f.carrier,
      f.tracking_number, f.tracking_url, f.delivery_status, f.delivery_at, (
        select jsonb_agg(jsonb_build_array(l.line_id, l.quantity) order by l.line_id)
        from orders.fulfilment_line l where l.tenant_id = f.tenant_id and l.fulfilment_id = f.fulfilment_id)`)} as digest
    from orders.fulfilment f join orders.sales_order o on o.tenant_id = f.tenant_id and o.order_id = f.order_id`,
} as const;

/** A digest, in the transaction that wrote the rows: for their event. Null where there is nothing to tell. */
export async function contentOf(
  tx: TenantTransaction,
  of: Exclude<keyof typeof contents, 'version'>,
  id: string,
): Promise<string | null> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${contents[of]}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      id,
    ]),
  );
  return row?.digest ?? null;
}
