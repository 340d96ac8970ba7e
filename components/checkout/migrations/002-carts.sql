-- What visitors put together: drafts of theirs, that no event tells of. What they buy is an order.
create table checkout.cart (
  tenant_id uuid not null,
  cart_id uuid not null,
  -- Where it was made: it is reached under the keys of this site and mode alone.
  site_id uuid,
  key_id uuid,
  -- Of no site: the agent who buys for somebody.
  agent_id uuid,
  brand_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  -- Of the token that opens it.
  token_sha256 bytea not null check (octet_length(token_sha256) = 32),
  status text not null check (status in ('open', 'converted', 'cancelled')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  locale text check (length(locale) <= 35),
  -- What the lines said when they were last priced.
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) <= 500 and jsonb_array_length(lines) = jsonb_array_length(jsonb_path_query_array(lines,
    'strict $[*] ? (@.id.type() == "string" && @.productId.type() == "string" && @.variantId.type() == "string" && @.handle.type() == "string" && @.title.type() == "string"
      && @.options.type() == "object" && @.quantity.type() == "number" && @.quantity >= 1 && @.price like_regex "^[0-9]{1,15}$")'))
    and not jsonb_path_exists(lines, 'strict $[*].options.* ? (@.type() != "string")')),
  codes text[] not null check (cardinality(codes) <= 5),
  -- What the door of an agent keeps with it, which nobody else reads.
  door_state jsonb check (jsonb_typeof(door_state) = 'object' and octet_length(door_state::text) <= 200000),
  -- Of it this much is read: whose it is, so that it goes with them.
  door_email text generated always as (lower(door_state ->> 'email')) stored,
  -- The last one that was made of it.
  checkout_id uuid,
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- It needs no job: whoever reads it compares.
  expires_at timestamptz not null,
  primary key (tenant_id, cart_id)
) with (fillfactor = 70);
create index cart_of_test on checkout.cart (tenant_id, cart_id) where mode = 'test';
create index cart_by_email on checkout.cart (tenant_id, door_email) where door_email is not null;

-- What a request under an idempotency key was answered.
create table checkout.request (
  tenant_id uuid not null,
  -- The cart or checkout that was asked for; the SDK key, or the agent, of those that make one.
  scope_id uuid not null,
  -- Of the operation and the key.
  request_sha256 bytea not null check (octet_length(request_sha256) = 32),
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  -- Null: its work goes on.
  answer text,
  -- What was made, where the scope is whoever made it: the answer goes with its person.
  about_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_id, request_sha256)
);

do $$
declare name text;
begin
  foreach name in array array['cart', 'request'] loop
    execute format('alter table checkout.%I enable row level security', name);
    execute format('alter table checkout.%I force row level security', name);
    execute format($policy$create policy tenant on checkout.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
end $$;

grant select, insert on checkout.cart, checkout.request to {{app}};
grant update (status, locale, lines, codes, door_state, checkout_id, version, updated_at, expires_at) on checkout.cart to {{app}};
grant update (answer, about_id) on checkout.request to {{app}};
