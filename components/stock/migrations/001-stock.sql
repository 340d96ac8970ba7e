-- What a tenant counts, where it lies, and who it is reserved for.
create schema stock;
grant usage on schema stock to {{app}}, {{job:stock_tests}}, {{job:audit_verifier}};

create table stock.location (
  tenant_id uuid not null,
  location_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  code text collate "C" not null check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) <= 40),
  country text check (country ~ '^[A-Z]{2}$'),
  address text check (length(address) between 1 and 1000),
  -- Stock is taken from the lowest first.
  priority int not null check (priority between 0 and 1000000),
  version int not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, location_id),
  unique (tenant_id, code)
);

-- What is counted. Whoever changes a level of it, or a reservation, has locked its row: of several items in the order of ids.
create table stock.item (
  tenant_id uuid not null,
  item_id uuid not null,
  sku text check (length(sku) between 1 and 100),
  name text check (length(name) between 1 and 200),
  -- continue: it may be promised when there is none.
  policy text not null default 'deny' check (policy in ('deny', 'continue')),
  version int not null default 1,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, item_id)
);

-- What one piece of a variant takes. Variants are the catalogue's; one without rows is not tracked.
create table stock.requirement (
  tenant_id uuid not null,
  variant_id uuid not null,
  item_id uuid not null,
  quantity int not null check (quantity between 1 and 1000000),
  primary key (tenant_id, variant_id, item_id),
  foreign key (tenant_id, item_id) references stock.item (tenant_id, item_id)
);
create index requirement_by_item on stock.requirement (tenant_id, item_id, variant_id);

-- Updated in place as a rule, since no index has what changes.
create table stock.level (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  item_id uuid not null,
  location_id uuid not null,
  on_hand bigint not null default 0 check (abs(on_hand) <= 1000000000000),
  reserved bigint not null default 0 check (reserved between 0 and 1000000000000),
  incoming bigint not null default 0 check (incoming between 0 and 1000000000000),
  -- The policy of its item, here for the check.
  overdraw boolean not null default false,
  primary key (tenant_id, mode, item_id, location_id),
  foreign key (tenant_id, item_id) references stock.item (tenant_id, item_id),
  foreign key (tenant_id, location_id) references stock.location (tenant_id, location_id),
  constraint never_oversold check (overdraw or reserved <= on_hand)
) with (fillfactor = 80);
create index level_by_location on stock.level (tenant_id, mode, location_id, item_id);

-- Every change of a level. It names item and location without foreign keys: it is only ever written beside the level.
create table stock.movement (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  -- In the order of time.
  movement_id uuid not null,
  kind text not null check (kind in ('adjust', 'receive', 'count', 'expect', 'transfer', 'reserve', 'release', 'expire', 'ship', 'restock', 'open')),
  item_id uuid not null,
  location_id uuid not null,
  on_hand bigint not null default 0,
  reserved bigint not null default 0,
  incoming bigint not null default 0,
  reason text check (reason ~ '^[a-z_]{1,40}$'),
  note text check (length(note) between 1 and 500),
  -- What it was done for: a kind and ids.
  source_kind text not null check (source_kind ~ '^[a-z_]{1,40}$'),
  source_id uuid not null,
  source_line text not null default '' check (length(source_line) <= 64),
  actor text not null,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  primary key (tenant_id, mode, movement_id)
);
create index movement_of_item on stock.movement (tenant_id, mode, item_id, movement_id);
-- What is repeated moves nothing. Reservations have a state of their own that says so.
create unique index movement_once on stock.movement (tenant_id, source_id, source_line, kind, item_id, location_id)
  where kind not in ('reserve', 'release', 'expire', 'open');

-- What a line of an order sent and took back.
create index movement_of_line on stock.movement (tenant_id, source_line, item_id) where kind in ('ship', 'restock');

-- What a checkout or an order holds. Without foreign keys, as movements.
create table stock.reservation (
  tenant_id uuid not null,
  holder_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  item_id uuid not null,
  location_id uuid not null,
  quantity bigint not null check (quantity > 0),
  -- Null: until it is released or shipped.
  expires_at timestamptz,
  primary key (tenant_id, holder_id, mode, item_id, location_id)
);
create index reservation_ends on stock.reservation (tenant_id, mode, item_id, expires_at, location_id) where expires_at is not null;

-- What a variant took when a holder reserved it, where it takes something else since: what was reserved is what leaves.
create table stock.held_requirement (
  tenant_id uuid not null,
  holder_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  variant_id uuid not null,
  item_id uuid not null,
  quantity int not null check (quantity between 1 and 1000000),
  primary key (tenant_id, holder_id, mode, variant_id, item_id),
  foreign key (tenant_id, item_id) references stock.item (tenant_id, item_id)
);

do $$
declare name text;
begin
  foreach name in array array['location', 'item', 'requirement', 'level', 'movement', 'reservation', 'held_requirement'] loop
    execute format('alter table stock.%I enable row level security', name);
    execute format('alter table stock.%I force row level security', name);
    execute format($policy$create policy tenant on stock.%I to {{app}}, {{job:stock_tests}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    -- For whoever verifies that rows agree with the audit log and with one another.
    execute format('create policy verifier on stock.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert on stock.location, stock.item, stock.requirement, stock.level, stock.movement, stock.reservation to {{app}};
grant update (name, code, country, address, priority, version, archived_at, updated_at) on stock.location to {{app}};
grant update (sku, name, policy, version, updated_at) on stock.item to {{app}};
grant update (quantity), delete on stock.requirement to {{app}};
grant update (on_hand, reserved, incoming, overdraw), delete on stock.level to {{app}};
grant update (quantity, expires_at), delete on stock.reservation to {{app}};
grant select, insert, delete on stock.held_requirement to {{app}};

-- Movements are never changed or deleted by the application, but for those of tests.
grant select, delete on stock.level, stock.movement, stock.reservation, stock.held_requirement to {{job:stock_tests}};
grant select, update (version) on stock.item to {{job:stock_tests}};

grant select (tenant_id, location_id, version, archived_at, created_at, updated_at) on stock.location to {{job:audit_verifier}};
grant select (tenant_id, item_id, policy, version, created_at, updated_at) on stock.item to {{job:audit_verifier}};
grant select on stock.requirement, stock.level, stock.reservation, stock.held_requirement to {{job:audit_verifier}};
grant select (tenant_id, mode, item_id, location_id, on_hand, reserved, incoming) on stock.movement to {{job:audit_verifier}};
