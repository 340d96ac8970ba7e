-- What became of an order before it left: each edit makes a new version of it, and every version stays readable.
grant usage on schema orders to {{job:order_editing}};

create table orders.version (
  tenant_id uuid not null,
  order_id uuid not null,
  version int not null check (version >= 1),
  -- Lines, shipping, discounts, taxes and sums as they were; amounts are minor units as text. Nobody's name or address.
  snapshot jsonb not null check (jsonb_path_exists(snapshot, 'strict $ ? (@.lines.type() == "array" && @.discounts.type() == "array" && @.taxes.type() == "array"
    && @.subtotal like_regex "^[0-9]{1,19}$" && @.discount like_regex "^[0-9]{1,19}$" && @.net like_regex "^[0-9]{1,19}$" && @.tax like_regex "^[0-9]{1,19}$"
    && @.total like_regex "^[0-9]{1,19}$")')
    and jsonb_array_length(snapshot -> 'lines') = jsonb_array_length(jsonb_path_query_array(snapshot, 'strict $.lines[*] ? (@.id.type() == "string"
      && @.title.type() == "string" && @.options.type() == "object" && @.discounts.type() == "array" && @.quantity.type() == "number" && @.treatment.type() == "string"
      && @.unitPrice like_regex "^[0-9]{1,19}$" && @.gross like_regex "^[0-9]{1,19}$" && @.net like_regex "^[0-9]{1,19}$" && @.tax like_regex "^[0-9]{1,19}$"
      && @.total like_regex "^[0-9]{1,19}$" && @.percentage like_regex "^[0-9]{1,19}$")'))
    and jsonb_array_length(jsonb_path_query_array(snapshot, 'strict $.lines[*].discounts[*]')) = jsonb_array_length(jsonb_path_query_array(snapshot,
      'strict $.lines[*].discounts[*] ? (@.discountId.type() == "string" && @.amount like_regex "^[0-9]{1,19}$")'))
    and jsonb_array_length(snapshot -> 'discounts') = jsonb_array_length(jsonb_path_query_array(snapshot,
      'strict $.discounts[*] ? (@.discountId.type() == "string" && @.amount like_regex "^[0-9]{1,19}$" && @.name.type() == "string")'))
    and (jsonb_typeof(snapshot -> 'shipping') = 'null' or jsonb_path_exists(snapshot, 'strict $.shipping ? (@.name.type() == "string"
      && @.gross like_regex "^[0-9]{1,19}$" && @.net like_regex "^[0-9]{1,19}$" && @.tax like_regex "^[0-9]{1,19}$" && @.total like_regex "^[0-9]{1,19}$")'))),
  primary key (tenant_id, order_id, version),
  foreign key (tenant_id, order_id) references orders.sales_order (tenant_id, order_id)
);

create table orders.edit (
  tenant_id uuid not null,
  edit_id uuid not null,
  order_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  -- The versions that it made the next one of, and that it made.
  version_before int not null,
  version int not null check (version > version_before),
  -- Whether it goes to another address.
  readdressed boolean not null,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  primary key (tenant_id, edit_id),
  unique (tenant_id, order_id, version),
  foreign key (tenant_id, order_id, version_before) references orders.version (tenant_id, order_id, version),
  foreign key (tenant_id, order_id, version) references orders.version (tenant_id, order_id, version)
);
create index edit_of_order on orders.edit (tenant_id, order_id, edit_id);

do $$
declare name text;
begin
  foreach name in array array['version', 'edit'] loop
    execute format('alter table orders.%I enable row level security', name);
    execute format('alter table orders.%I force row level security', name);
    execute format($policy$create policy tenant on orders.%I to {{app}}, {{job:order_erasure}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy verifier on orders.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
  -- Who edits.
  foreach name in array array['sales_order', 'line'] loop
    execute format($policy$create policy editing on orders.%I to {{job:order_editing}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
end $$;

grant select, insert on orders.version, orders.edit to {{app}};
grant select, delete on orders.version, orders.edit to {{job:order_erasure}};
grant select on orders.version, orders.edit to {{job:audit_verifier}};
grant select on orders.sales_order, orders.line to {{job:order_editing}};
grant insert on orders.line to {{job:order_editing}};
grant update (shipping_address, country, shipping, discounts, taxes, subtotal, discount, net, tax, total, units, version, updated_at)
  on orders.sales_order to {{job:order_editing}};
grant update (quantity, gross, discounts, net, tax, total, treatment, tax_id, percentage) on orders.line to {{job:order_editing}};
