-- What was bought: snapshots that never change, and what became of them.
create schema orders;
grant usage on schema orders to {{app}}, {{job:order_erasure}}, {{job:order_letters}}, {{job:audit_verifier}};

-- The next number of each series. It is taken in the transaction that places the order, so that none is left out.
create table orders.counter (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  next bigint not null check (next > 1001),
  primary key (tenant_id, mode)
);

-- All amounts are minor units of its currency; in JSON they are text. What is in JSON is checked here, because people, books and pages read it.
create table orders.sales_order (
  tenant_id uuid not null,
  order_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  number bigint not null,
  -- Checkouts, brands, sites, keys and contacts are others': ids without foreign keys.
  checkout_id uuid not null,
  brand_id uuid not null,
  site_id uuid,
  key_id uuid,
  contact_id uuid,
  -- The shop at a marketplace where it was placed; null: here.
  channel_id uuid,
  locale text check (length(locale) <= 35),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  pricing text not null check (pricing in ('inclusive', 'exclusive')),
  -- The buyer; all of it goes when the person is erased.
  email text check (length(email) between 1 and 320),
  email_key text collate "C" generated always as (lower(email)) stored,
  name text,
  phone text,
  vat_number text,
  shipping_address jsonb check (jsonb_typeof(shipping_address) = 'object' and not jsonb_path_exists(shipping_address, 'strict $.* ? (@.type() != "string" && @.type() != "null")')),
  billing_address jsonb check (jsonb_typeof(billing_address) = 'object' and not jsonb_path_exists(billing_address, 'strict $.* ? (@.type() != "string" && @.type() != "null")')),
  buyer_note text,
  -- Where it was sold to; ISO 3166. It stays, because taxes are reported by it.
  country text check (country ~ '^[A-Z]{2}$'),
  marketing boolean not null,
  -- The digests in the log are made with it: nobody can try out who it may have been.
  salt uuid not null default gen_random_uuid(),
  erased_at timestamptz,
  shipping jsonb check (jsonb_path_exists(shipping, 'strict $ ? (@.gross like_regex "^[0-9]{1,19}$" && @.net like_regex "^[0-9]{1,19}$" && @.tax like_regex "^[0-9]{1,19}$" && @.total like_regex "^[0-9]{1,19}$" && @.percentage like_regex "^[0-9]{1,19}$" && @.discounts.type() == "array")')
    and jsonb_array_length(shipping -> 'discounts') = jsonb_array_length(jsonb_path_query_array(shipping,
    'strict $.discounts[*] ? (@.discountId.type() == "string" && @.amount like_regex "^[0-9]{1,19}$")'))),
  discounts jsonb not null check (jsonb_typeof(discounts) = 'array' and jsonb_array_length(discounts) = jsonb_array_length(jsonb_path_query_array(discounts,
    'strict $[*] ? (@.discountId.type() == "string" && @.amount like_regex "^[0-9]{1,19}$" && @.name.type() == "string")'))),
  taxes jsonb not null check (jsonb_typeof(taxes) = 'array' and jsonb_array_length(taxes) = jsonb_array_length(jsonb_path_query_array(taxes,
    'strict $[*] ? (@.net like_regex "^[0-9]{1,19}$" && @.tax like_regex "^[0-9]{1,19}$" && @.percentage like_regex "^[0-9]{1,19}$")'))),
  subtotal bigint not null check (subtotal >= 0),
  discount bigint not null check (discount >= 0),
  net bigint not null check (net >= 0),
  tax bigint not null check (tax >= 0),
  total bigint not null check (total = net + tax),
  -- Authorised and neither captured nor voided; captured in all; given back of that.
  authorized bigint not null default 0 check (authorized >= 0),
  captured bigint not null default 0 check (captured >= 0),
  refunded bigint not null default 0 check (refunded between 0 and captured),
  -- Of that: what an edit left over, since the order costs less than was captured. It is no refund of what was bought.
  balance_refunded bigint not null default 0 check (balance_refunded between 0 and refunded),
  -- Sums of the lines.
  units bigint not null check (units > 0),
  units_fulfilled bigint not null default 0,
  units_returned bigint not null default 0,
  check (units_fulfilled between 0 and units),
  check (units_returned between 0 and units_fulfilled),
  cancelled_at timestamptz,
  cancel_reason text check (cancel_reason ~ '^[a-z_]{1,40}$'),
  check ((cancelled_at is null) = (cancel_reason is null)),
  payment_status text not null generated always as (case
    when refunded > 0 and refunded >= captured then 'refunded'
    when refunded > balance_refunded then 'partially_refunded'
    when cancelled_at is not null and captured = 0 then 'voided'
    when captured - balance_refunded >= total then 'paid'
    when captured > 0 then 'partially_paid'
    when authorized > 0 then 'authorized'
    else 'pending' end) stored,
  fulfilment_status text not null generated always as (case
    when units_returned >= units then 'returned'
    when units_returned > 0 then 'partially_returned'
    when units_fulfilled >= units then 'fulfilled'
    when units_fulfilled > 0 then 'partially_fulfilled'
    else 'unfulfilled' end) stored,
  -- Closed: nothing is left to send or to be paid.
  status text not null generated always as (case
    when cancelled_at is not null then 'cancelled'
    when units_fulfilled >= units and captured - balance_refunded >= total then 'closed'
    else 'open' end) stored,
  note text check (length(note) between 1 and 5000),
  -- Counts edits, and changes of note and tags.
  version int not null default 1,
  placed_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, order_id),
  constraint order_number unique (tenant_id, mode, number),
  constraint order_of_checkout unique (tenant_id, checkout_id)
);
create index order_by_email on orders.sales_order (tenant_id, email_key, order_id) where email_key is not null;
create index order_by_contact on orders.sales_order (tenant_id, contact_id, order_id) where contact_id is not null;
create index order_by_channel on orders.sales_order (tenant_id, channel_id, order_id) where channel_id is not null;
create index order_by_status on orders.sales_order (tenant_id, mode, status, order_id);
create index order_by_payment on orders.sales_order (tenant_id, mode, payment_status, order_id);
create index order_by_fulfilment on orders.sales_order (tenant_id, mode, fulfilment_status, order_id);

create table orders.line (
  tenant_id uuid not null,
  order_id uuid not null,
  line_id uuid not null,
  position int not null check (position >= 0),
  product_id uuid not null,
  variant_id uuid not null,
  title text not null,
  options jsonb not null check (jsonb_typeof(options) = 'object' and not jsonb_path_exists(options, 'strict $.* ? (@.type() != "string")')),
  sku text,
  -- Its picture, where it was served then.
  image jsonb check (jsonb_path_exists(image, 'strict $ ? (@.url.type() == "string" && @.alt.type() == "string"
    && @.width.type() == "number" && @.height.type() == "number")')),
  tax_category text not null,
  weight_grams int,
  requires_shipping boolean not null,
  -- 0: an edit took all of it off the order.
  quantity int not null check (quantity >= 0),
  unit_price bigint not null check (unit_price >= 0),
  gross bigint not null check (gross >= 0),
  -- What each discount takes off this line: what is given back later is counted from it.
  discounts jsonb not null check (jsonb_typeof(discounts) = 'array' and jsonb_array_length(discounts) = jsonb_array_length(jsonb_path_query_array(discounts,
    'strict $[*] ? (@.discountId.type() == "string" && @.amount like_regex "^[0-9]{1,19}$")'))),
  net bigint not null check (net >= 0),
  tax bigint not null check (tax >= 0),
  total bigint not null check (total = net + tax),
  treatment text not null check (treatment in ('taxed', 'none', 'exempt', 'reverse_charge')),
  tax_id uuid,
  -- Times 10^4.
  percentage bigint not null check (percentage >= 0),
  fulfilled int not null default 0,
  returned int not null default 0,
  check (fulfilled between 0 and quantity),
  check (returned between 0 and fulfilled),
  primary key (tenant_id, order_id, line_id),
  unique (tenant_id, order_id, position),
  foreign key (tenant_id, order_id) references orders.sales_order (tenant_id, order_id)
);

-- People are told what an id of a line names.
create index line_by_id on orders.line (tenant_id, line_id);

create table orders.tag (
  tenant_id uuid not null,
  tag text collate "C" not null check (length(tag) between 1 and 100),
  order_id uuid not null,
  primary key (tenant_id, tag, order_id),
  foreign key (tenant_id, order_id) references orders.sales_order (tenant_id, order_id)
);
create index tag_by_order on orders.tag (tenant_id, order_id);

-- What left together.
create table orders.fulfilment (
  tenant_id uuid not null,
  fulfilment_id uuid not null,
  order_id uuid not null,
  -- Null: from wherever it was reserved.
  location_id uuid,
  -- The caller's own name for it: the same again is the same fulfilment.
  reference text check (length(reference) between 1 and 100),
  carrier text check (length(carrier) between 1 and 100),
  tracking_number text check (length(tracking_number) between 1 and 100),
  tracking_url text check (tracking_url ~ '^https://' and length(tracking_url) <= 2000),
  -- Where the carrier says that it is, and since when; null: nothing was heard.
  delivery_status text check (delivery_status in ('announced', 'in_transit', 'out_for_delivery', 'ready_for_pickup', 'delivered', 'returning', 'failed')),
  delivery_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, fulfilment_id),
  unique (tenant_id, order_id, fulfilment_id),
  unique (tenant_id, order_id, reference),
  foreign key (tenant_id, order_id) references orders.sales_order (tenant_id, order_id)
);

create index fulfilment_by_tracking on orders.fulfilment (tenant_id, tracking_number) where tracking_number is not null;

create table orders.fulfilment_line (
  tenant_id uuid not null,
  fulfilment_id uuid not null,
  order_id uuid not null,
  line_id uuid not null,
  quantity int not null check (quantity > 0),
  primary key (tenant_id, fulfilment_id, line_id),
  foreign key (tenant_id, order_id, fulfilment_id) references orders.fulfilment (tenant_id, order_id, fulfilment_id),
  foreign key (tenant_id, order_id, line_id) references orders.line (tenant_id, order_id, line_id)
);
create index fulfilment_line_by_order on orders.fulfilment_line (tenant_id, order_id, line_id);

do $$
declare name text;
begin
  foreach name in array array['counter', 'sales_order', 'line', 'tag', 'fulfilment', 'fulfilment_line'] loop
    execute format('alter table orders.%I enable row level security', name);
    execute format('alter table orders.%I force row level security', name);
    execute format($policy$create policy tenant on orders.%I to {{app}}, {{job:order_erasure}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    -- For whoever verifies that rows agree with the audit log and with one another.
    execute format('create policy verifier on orders.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert on orders.counter, orders.sales_order, orders.line, orders.tag, orders.fulfilment, orders.fulfilment_line to {{app}};
grant update (next) on orders.counter to {{app}};
-- What was bought, by whom and for how much is changed by no statement of the application: edits go through `orders.apply_edit`.
grant update (authorized, captured, refunded, balance_refunded, units_fulfilled, units_returned, cancelled_at, cancel_reason, note, version, updated_at)
  on orders.sales_order to {{app}};
grant update (fulfilled, returned) on orders.line to {{app}};
grant delete on orders.tag to {{app}};
grant update (carrier, tracking_number, tracking_url, delivery_status, delivery_at, version, updated_at) on orders.fulfilment to {{app}};

-- Who erases a person, and deletes orders of tests.
grant select, delete on orders.sales_order, orders.line, orders.tag, orders.fulfilment, orders.fulfilment_line to {{job:order_erasure}};
grant update (email, name, phone, vat_number, shipping_address, billing_address, buyer_note, note, salt, erased_at)
  on orders.sales_order to {{job:order_erasure}};
grant update (tracking_number, tracking_url, version, updated_at) on orders.fulfilment to {{job:order_erasure}};

grant select on orders.counter, orders.sales_order, orders.line, orders.tag, orders.fulfilment, orders.fulfilment_line to {{job:audit_verifier}};

-- Who was told what by a letter, once; the letters themselves are in mail, without a word until their turn comes.
create table orders.letter (
  tenant_id uuid not null,
  -- The fact: what happened, and the ids of what it happened to.
  about text not null check (length(about) between 1 and 200),
  -- `buyer`, or a member: `user:` and their id.
  reader text not null check (length(reader) between 1 and 300),
  -- SHA-256 of the buyer's address, for two days: what is counted.
  address bytea check (octet_length(address) = 32),
  -- False: there were too many, and this one is not sent.
  owed boolean not null,
  told_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, about, reader)
);
create index letter_by_reader on orders.letter (tenant_id, reader, told_at);
create index letter_by_address on orders.letter (address, told_at) where address is not null;
create index letter_with_address on orders.letter (tenant_id, told_at) where address is not null;

alter table orders.letter enable row level security;
alter table orders.letter force row level security;
create policy tenant on orders.letter to {{app}}, {{job:order_erasure}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy counted on orders.letter for select to {{job:order_letters}} using (true);
grant select, insert on orders.letter to {{app}};
grant update (address) on orders.letter to {{app}};
grant select (address, owed, told_at) on orders.letter to {{job:order_letters}};
grant select (tenant_id, about), delete on orders.letter to {{job:order_erasure}};

-- How letters about orders of a brand are written. Without a row as ever.
create table orders.letter_setting (
  tenant_id uuid not null,
  -- A brand of the portal's; checked when it is set.
  brand_id uuid not null,
  -- Where buyers answer to.
  reply_to text check (length(reply_to) between 1 and 254),
  -- Addresses that are told of new orders, each with an id by which letters that wait know it. Null: the owners.
  new_orders_to jsonb check (jsonb_typeof(new_orders_to) = 'array' and jsonb_array_length(new_orders_to) <= 10
    and jsonb_array_length(new_orders_to) = jsonb_array_length(jsonb_path_query_array(new_orders_to,
      'strict $[*] ? (@.id like_regex "^[0-9a-f-]{36}$" && @.address.type() == "string")'))),
  -- Part of the digest in its events, so that nobody can guess an address by that.
  salt uuid not null default gen_random_uuid(),
  version int not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, brand_id)
);
alter table orders.letter_setting enable row level security;
alter table orders.letter_setting force row level security;
create policy tenant on orders.letter_setting to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy verifier on orders.letter_setting for select to {{job:audit_verifier}} using (true);
grant select, insert, update (reply_to, new_orders_to, salt, version, updated_at) on orders.letter_setting to {{app}};
grant select on orders.letter_setting to {{job:audit_verifier}};
