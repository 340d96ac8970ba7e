-- On the way from a cart to an order. What is bought is an order, which the log tells of, and so are its payments.
create table checkout.session (
  tenant_id uuid not null,
  checkout_id uuid not null,
  -- Null: of lines without a cart.
  cart_id uuid,
  site_id uuid,
  key_id uuid,
  -- Of no site: the agent who buys for somebody.
  agent_id uuid,
  brand_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  token_sha256 bytea not null check (octet_length(token_sha256) = 32),
  status text not null check (status in ('open', 'ready', 'completing', 'completed', 'cancelled', 'expired')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  locale text check (length(locale) <= 35),
  -- What the lines said when they were last priced.
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) <= 500 and jsonb_array_length(lines) = jsonb_array_length(jsonb_path_query_array(lines,
    'strict $[*] ? (@.id.type() == "string" && @.productId.type() == "string" && @.variantId.type() == "string" && @.handle.type() == "string" && @.title.type() == "string"
      && @.options.type() == "object" && @.quantity.type() == "number" && @.quantity >= 1 && @.price like_regex "^[0-9]{1,15}$")'))
    and not jsonb_path_exists(lines, 'strict $[*].options.* ? (@.type() != "string")')),
  codes text[] not null check (cardinality(codes) <= 5),
  email text check (length(email) <= 320),
  name text check (length(name) <= 200),
  phone text check (length(phone) <= 40),
  shipping_address jsonb check (jsonb_typeof(shipping_address) = 'object' and jsonb_path_exists(shipping_address, 'strict $ ? (@.line1.type() == "string" && @.city.type() == "string" && @.country like_regex "^[A-Z]{2}$")')
    and not jsonb_path_exists(shipping_address, 'strict $.* ? (@.type() != "string" && @.type() != "null")')),
  billing_address jsonb check (jsonb_typeof(billing_address) = 'object' and jsonb_path_exists(billing_address, 'strict $ ? (@.line1.type() == "string" && @.city.type() == "string" && @.country like_regex "^[A-Z]{2}$")')
    and not jsonb_path_exists(billing_address, 'strict $.* ? (@.type() != "string" && @.type() != "null")')),
  shipping_option_id uuid,
  vat_number text check (length(vat_number) <= 40),
  note text check (length(note) <= 2000),
  marketing_consent boolean not null default false,
  -- What the door of an agent keeps with it, which nobody else reads.
  door_state jsonb check (jsonb_typeof(door_state) = 'object' and octet_length(door_state::text) <= 200000),
  -- What the buyer was last shown, as JSON, and of it what lists show.
  figures text not null check (octet_length(figures) <= 2000000 and jsonb_path_exists(figures::jsonb, 'strict $ ? (@.lines.type() == "array" && @.messages.type() == "array" && @.total.amount.type() == "string"
      && @.total.currency.type() == "string")')),
  -- As much as its lines come to, also where that is more than can be bought.
  total numeric(24, 0) not null,
  units bigint not null,
  -- The last payment as the buyer was shown it.
  payment jsonb check (jsonb_path_exists(payment, 'strict $ ? (@.handler.type() == "string" && @.method.type() == "string" && @.status.type() == "string")')),
  -- While it is completing: what is placed once it is paid.
  agreed jsonb check (jsonb_path_exists(agreed, 'strict $ ? (@.checkoutId.type() == "string" && @.lines.type() == "array" && @.discounts.type() == "array"
      && @.taxes.type() == "array" && @.buyer.type() == "object")')
    and not jsonb_path_exists(agreed, 'lax $.**."$n" ? (!(@ like_regex "^-?[0-9]{1,19}$"))')),
  -- Orders are those of another component.
  order_id uuid,
  order_number text check (length(order_number) <= 40),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- It needs no job while nothing is held: whoever reads it compares.
  expires_at timestamptz not null,
  primary key (tenant_id, checkout_id),
  check ((status = 'completed') = (order_id is not null)),
  check (status = 'completing' or agreed is null)
) with (fillfactor = 70);
create index session_completing on checkout.session (tenant_id, checkout_id) where status = 'completing';
create index session_of_test on checkout.session (tenant_id, checkout_id) where mode = 'test';
-- Whose agent is told of an order.
create index session_of_agent_order on checkout.session (tenant_id, order_id) where agent_id is not null and order_id is not null;
create index session_by_email on checkout.session (tenant_id, email) where email is not null;

alter table checkout.session enable row level security;
alter table checkout.session force row level security;
create policy tenant on checkout.session to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);

grant select, insert on checkout.session to {{app}};
-- What a request was answered goes with the person whom it is about.
grant delete on checkout.request to {{app}};
grant update (status, locale, lines, codes, email, name, phone, shipping_address, billing_address, shipping_option_id, vat_number, note,
  marketing_consent, door_state, figures, total, units, payment, agreed, order_id, order_number, version, updated_at, expires_at)
  on checkout.session to {{app}};

-- For the job that follows up payments and forgets what was left.
grant usage on schema checkout to {{job:checkouts}};
create policy job on checkout.cart to {{job:checkouts}} using (true);
create policy job on checkout.request to {{job:checkouts}} using (true);
create policy job on checkout.session to {{job:checkouts}} using (true);
grant select, update (version), delete on checkout.cart, checkout.session to {{job:checkouts}};
grant select, update (answer), delete on checkout.request to {{job:checkouts}};
