-- How a shop is paid. Without a row it is as the code says.
create table orders.payment_setting (
  tenant_id uuid not null primary key,
  capture_at text not null check (capture_at in ('placement', 'fulfilment')),
  -- Methods that buyers are offered beside those of providers, each with its instructions.
  manual_methods jsonb not null check (jsonb_typeof(manual_methods) = 'array' and jsonb_array_length(manual_methods) = jsonb_array_length(
    jsonb_path_query_array(manual_methods, 'strict $[*] ? (@.method like_regex "^[a-z_]{1,40}$" && (@.instructions == null || @.instructions.type() == "string"))'))),
  version int not null default 1,
  updated_at timestamptz not null default clock_timestamp()
);

-- What a checkout is paid by, one row for each attempt. No card number and no secret is ever here.
create table orders.payment (
  tenant_id uuid not null,
  payment_id uuid not null,
  checkout_id uuid not null,
  -- Null until it is placed.
  order_id uuid,
  mode text not null check (mode in ('live', 'test')),
  -- The edit that left more to pay; null: it was begun by the checkout.
  edit_id uuid,
  handler text not null check (handler ~ '^[a-z_]{1,40}$'),
  method text not null check (method ~ '^[a-z_]{1,40}$'),
  -- Whose account at the provider takes it; null: the deployment's, or there is none.
  connection_id uuid,
  attempt int not null check (attempt >= 1),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units.
  amount bigint not null check (amount > 0),
  captured bigint not null default 0 check (captured >= 0),
  refunded bigint not null default 0 check (refunded >= 0),
  -- Given up before it was captured.
  voided bigint not null default 0 check (voided >= 0),
  -- What its provider is being asked to capture.
  capturing bigint not null default 0 check (capturing >= 0),
  state text not null default 'started'
    check (state in ('started', 'requires_action', 'awaiting', 'authorized', 'captured', 'declined', 'voided')),
  -- What the provider calls it.
  reference text check (length(reference) between 1 and 200),
  -- What the buyer must do next.
  action jsonb check (jsonb_typeof(action) = 'object'),
  decline_reason text check (decline_reason ~ '^[a-z0-9_]{1,60}$'),
  version int not null default 1,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, payment_id),
  constraint never_more_captured check (captured + voided + capturing <= amount),
  constraint never_more_refunded check (refunded <= captured),
  check (captured = 0 or state in ('awaiting', 'authorized', 'captured')),
  check (edit_id is null or order_id is not null)
);
-- A checkout is charged once, whoever comes at the same time.
create unique index payment_once on orders.payment (tenant_id, checkout_id) where state not in ('declined', 'voided') and edit_id is null;
create unique index payment_attempt on orders.payment (tenant_id, checkout_id, attempt);
create index payment_of_order on orders.payment (tenant_id, order_id, payment_id) where order_id is not null;
create index payment_of_test on orders.payment (tenant_id, payment_id) where mode = 'test' and order_id is null;

-- What moved money, or gave it up.
create table orders.payment_operation (
  tenant_id uuid not null,
  operation_id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('capture', 'received', 'void', 'refund')),
  amount bigint not null check (amount > 0),
  -- What it was done for. What is repeated moves nothing.
  source_kind text not null check (source_kind ~ '^[a-z_]{1,40}$'),
  source_id uuid not null,
  -- As the bank or the provider calls it.
  reference text check (length(reference) between 1 and 200),
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  primary key (tenant_id, operation_id),
  unique (tenant_id, source_id, kind, payment_id),
  foreign key (tenant_id, payment_id) references orders.payment (tenant_id, payment_id)
);
create index operation_of_payment on orders.payment_operation (tenant_id, payment_id, operation_id);

-- What a provider is asked for outside of any transaction, until it has done it or refuses it for good. A void or a refund has the id of its
-- operation; a capture becomes one once it is done.
create table orders.payment_request (
  tenant_id uuid not null,
  request_id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('capture', 'void', 'refund')),
  amount bigint not null check (amount > 0),
  source_kind text not null check (source_kind ~ '^[a-z_]{1,40}$'),
  source_id uuid not null,
  state text not null default 'asked' check (state in ('asked', 'done', 'refused')),
  reason text check (reason ~ '^[a-z0-9_]{1,60}$'),
  attempts int not null default 0,
  -- Nobody asks before.
  next_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, request_id),
  unique (tenant_id, source_id, kind, payment_id),
  foreign key (tenant_id, payment_id) references orders.payment (tenant_id, payment_id)
);
create index request_of_payment on orders.payment_request (tenant_id, payment_id, request_id);
create index request_due on orders.payment_request (next_at) where state = 'asked';

-- Units that were paid back, and what was of shipping.
alter table orders.line add column refunded int not null default 0 check (refunded between 0 and quantity);
alter table orders.sales_order add column shipping_refunded bigint not null default 0
  check (shipping_refunded between 0 and coalesce((shipping ->> 'total')::bigint, 0));

-- What a buyer sends back.
create table orders.return (
  tenant_id uuid not null,
  return_id uuid not null,
  order_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  state text not null default 'requested' check (state in ('requested', 'approved', 'received', 'refunded', 'rejected')),
  reason text not null check (reason ~ '^[a-z_]{1,40}$'),
  note text check (length(note) between 1 and 1000),
  -- Where what can be sold again was put back.
  location_id uuid,
  version int not null default 1,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, return_id),
  unique (tenant_id, order_id, return_id),
  foreign key (tenant_id, order_id) references orders.sales_order (tenant_id, order_id)
);
create index return_by_mode on orders.return (tenant_id, mode, return_id);
create index return_by_state on orders.return (tenant_id, mode, state, return_id);

create table orders.return_line (
  tenant_id uuid not null,
  return_id uuid not null,
  order_id uuid not null,
  line_id uuid not null,
  quantity int not null check (quantity > 0),
  received int not null default 0 check (received between 0 and quantity),
  -- Of those received: not put back into stock.
  damaged int not null default 0 check (damaged between 0 and received),
  primary key (tenant_id, return_id, line_id),
  foreign key (tenant_id, order_id, return_id) references orders.return (tenant_id, order_id, return_id),
  foreign key (tenant_id, order_id, line_id) references orders.line (tenant_id, order_id, line_id)
);
create index return_line_by_order on orders.return_line (tenant_id, order_id, line_id);

-- What was given back, in minor units. Its payments are operations of the kind refund.
create table orders.refund (
  tenant_id uuid not null,
  refund_id uuid not null,
  order_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  return_id uuid,
  -- The caller's own name for it: the same again is the same refund.
  reference text check (length(reference) between 1 and 100),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  shipping_net bigint not null default 0 check (shipping_net >= 0),
  shipping_tax bigint not null default 0 check (shipping_tax >= 0),
  -- Beside lines and shipping.
  adjustment bigint not null default 0 check (adjustment >= 0),
  -- What an edit left over.
  balance bigint not null default 0 check (balance >= 0),
  total bigint not null check (total > 0),
  reason text not null check (reason ~ '^[a-z_]{1,40}$'),
  note text check (length(note) between 1 and 1000),
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  primary key (tenant_id, refund_id),
  unique (tenant_id, order_id, refund_id),
  unique (tenant_id, order_id, reference),
  unique (tenant_id, return_id),
  foreign key (tenant_id, order_id) references orders.sales_order (tenant_id, order_id),
  foreign key (tenant_id, order_id, return_id) references orders.return (tenant_id, order_id, return_id)
);

create table orders.refund_line (
  tenant_id uuid not null,
  refund_id uuid not null,
  order_id uuid not null,
  line_id uuid not null,
  quantity int not null check (quantity > 0),
  net bigint not null check (net >= 0),
  tax bigint not null check (tax >= 0),
  primary key (tenant_id, refund_id, line_id),
  foreign key (tenant_id, order_id, refund_id) references orders.refund (tenant_id, order_id, refund_id),
  foreign key (tenant_id, order_id, line_id) references orders.line (tenant_id, order_id, line_id)
);
create index refund_line_by_order on orders.refund_line (tenant_id, order_id, line_id);

do $$
declare name text;
begin
  foreach name in array array['payment_setting', 'payment', 'payment_operation', 'payment_request', 'return', 'return_line', 'refund', 'refund_line'] loop
    execute format('alter table orders.%I enable row level security', name);
    execute format('alter table orders.%I force row level security', name);
    execute format($policy$create policy tenant on orders.%I to {{app}}, {{job:order_erasure}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    -- For whoever verifies that rows agree with the audit log and with one another.
    execute format('create policy verifier on orders.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert on orders.payment_setting, orders.payment, orders.payment_operation, orders.payment_request, orders.return, orders.return_line, orders.refund,
  orders.refund_line to {{app}};
grant update (capture_at, manual_methods, version, updated_at) on orders.payment_setting to {{app}};
grant update (order_id, captured, refunded, voided, capturing, state, reference, action, decline_reason, version, updated_at) on orders.payment to {{app}};
grant update (state, reason, attempts, next_at, updated_at) on orders.payment_request to {{app}};
grant update (state, note, location_id, version, updated_at) on orders.return to {{app}};
grant update (received, damaged) on orders.return_line to {{app}};
grant update (refunded) on orders.line to {{app}};
grant update (shipping_refunded) on orders.sales_order to {{app}};

-- Who erases a person, and deletes orders of tests.
grant select, delete on orders.payment, orders.payment_operation, orders.payment_request, orders.return, orders.return_line, orders.refund, orders.refund_line
  to {{job:order_erasure}};
grant update (action) on orders.payment to {{job:order_erasure}};
grant update (reference) on orders.payment_operation to {{job:order_erasure}};
grant update (note) on orders.return, orders.refund to {{job:order_erasure}};

-- For the job that asks providers.
grant usage on schema orders to {{job:payment_requests}};
create policy job on orders.payment_request for select to {{job:payment_requests}} using (true);
grant select (tenant_id, request_id, state, next_at) on orders.payment_request to {{job:payment_requests}};

grant select on orders.payment_setting, orders.payment_request, orders.return_line, orders.refund_line to {{job:audit_verifier}};
grant select (tenant_id, return_id, order_id, mode, state, reason, location_id, version, created_at, updated_at) on orders.return
  to {{job:audit_verifier}};
grant select (tenant_id, refund_id, order_id, mode, return_id, currency, shipping_net, shipping_tax, adjustment, balance, total, reason, created_at)
  on orders.refund to {{job:audit_verifier}};
grant select (tenant_id, payment_id, checkout_id, order_id, edit_id, mode, handler, method, attempt, currency, amount, captured, refunded, voided, capturing,
  connection_id, state, reference, decline_reason, version, created_at, updated_at) on orders.payment to {{job:audit_verifier}};
grant select (tenant_id, operation_id, payment_id, kind, amount, source_kind, source_id, created_at) on orders.payment_operation to {{job:audit_verifier}};
