-- Writes the next version of an order of the transaction's tenant, which the application itself cannot: its sums, and the lines that it has from now on.
-- Of a line that was there, quantity, discounts, tax and amounts change, and neither what it is nor its price. Answers the version; null: somebody was
-- quicker, or the order is not to be edited. What left stays: checks of the rows refuse less.
create or replace function orders.apply_edit(p_order uuid, p_version int, p_address jsonb, p_values jsonb, p_lines jsonb)
returns int
language plpgsql volatile security definer set search_path = orders, pg_temp
set enable_seqscan = off as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  v_version int;
begin
  if v_tenant is null then
    raise exception 'orders are edited in a transaction of their tenant' using errcode = '42501';
  end if;
  update sales_order o set shipping_address = coalesce(p_address, o.shipping_address), country = coalesce(p_address ->> 'country', o.country),
    shipping = nullif(p_values -> 'shipping', 'null'::jsonb), discounts = p_values -> 'discounts', taxes = p_values -> 'taxes',
    subtotal = (p_values ->> 'subtotal')::bigint, discount = (p_values ->> 'discount')::bigint, net = (p_values ->> 'net')::bigint,
    tax = (p_values ->> 'tax')::bigint, total = (p_values ->> 'total')::bigint, units = (p_values ->> 'units')::bigint,
    version = o.version + 1, updated_at = clock_timestamp()
  where o.tenant_id = v_tenant and o.order_id = p_order and o.version = p_version and o.cancelled_at is null and o.erased_at is null
  returning o.version into v_version;
  if v_version is null then
    return null;
  end if;
  insert into line as l (tenant_id, order_id, line_id, position, product_id, variant_id, title, options, sku, image, tax_category, weight_grams,
    requires_shipping, quantity, unit_price, gross, discounts, net, tax, total, treatment, tax_id, percentage)
  select v_tenant, p_order, g.id, g.position, g."productId", g."variantId", g.title, g.options, g.sku, g.image, g."taxCategory", g."weightGrams",
    g."requiresShipping", g.quantity, g."unitPrice", g.gross, g.discounts, g.net, g.tax, g.total, g.treatment, g."taxId", g.percentage
  from jsonb_to_recordset(p_lines) g (id uuid, position int, "productId" uuid, "variantId" uuid, title text, options jsonb, sku text, image jsonb,
    "taxCategory" text, "weightGrams" int, "requiresShipping" boolean, quantity int, "unitPrice" bigint, gross bigint, discounts jsonb, net bigint,
    tax bigint, total bigint, treatment text, "taxId" uuid, percentage bigint)
  on conflict (tenant_id, order_id, line_id) do update set quantity = excluded.quantity, gross = excluded.gross, discounts = excluded.discounts,
    net = excluded.net, tax = excluded.tax, total = excluded.total, treatment = excluded.treatment, tax_id = excluded.tax_id,
    percentage = excluded.percentage
  where (l.quantity, l.gross, l.discounts, l.net, l.tax, l.treatment, l.tax_id, l.percentage) is distinct from
    (excluded.quantity, excluded.gross, excluded.discounts, excluded.net, excluded.tax, excluded.treatment, excluded.tax_id, excluded.percentage);
  return v_version;
end
$$;
alter function orders.apply_edit(uuid, int, jsonb, jsonb, jsonb) owner to {{job:order_editing}};
revoke execute on function orders.apply_edit(uuid, int, jsonb, jsonb, jsonb) from public;
grant execute on function orders.apply_edit(uuid, int, jsonb, jsonb, jsonb) to {{app}};
