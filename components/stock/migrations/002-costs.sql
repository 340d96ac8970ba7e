-- What stock cost, in minor units of the base currency of the books: by moving average, of each item over all locations. Tests cost nothing.

alter table stock.movement
  -- Pieces with a known cost that came into what is on hand, or left it where below 0, and what they cost.
  add column costed bigint not null default 0,
  add column cost bigint not null default 0,
  -- Pieces with a known cost that came in for others that had left before there were any, and what these cost.
  add column late_costed bigint not null default 0,
  add column late_cost bigint not null default 0,
  add constraint cost_of_pieces check (
    (costed > 0 and cost >= 0 or costed < 0 and cost <= 0 or costed = 0 and cost = 0)
    and (late_costed > 0 and late_cost >= 0 or late_costed = 0 and late_cost = 0)),
  add constraint tests_cost_nothing check (mode = 'live' or costed = 0 and late_costed = 0);
-- What was moved in some days, for reports.
create index movement_costed on stock.movement (tenant_id, created_at) where costed <> 0 or late_costed <> 0;

-- What is on hand of an item with a known cost, and what that cost in all. Apart from the item, whose facts do not change with every sale.
create table stock.valuation (
  tenant_id uuid not null,
  item_id uuid not null,
  costed bigint not null check (costed >= 0),
  value bigint not null check (value between 0 and 100000000000000000),
  primary key (tenant_id, item_id),
  foreign key (tenant_id, item_id) references stock.item (tenant_id, item_id),
  constraint nothing_is_worth_nothing check (costed > 0 or value = 0)
) with (fillfactor = 80);

alter table stock.valuation enable row level security;
alter table stock.valuation force row level security;
create policy tenant on stock.valuation to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy verifier on stock.valuation for select to {{job:audit_verifier}} using (true);
grant select, insert, update (costed, value) on stock.valuation to {{app}};
grant select on stock.valuation to {{job:audit_verifier}};
grant select (movement_id, costed, cost, late_costed, late_cost) on stock.movement to {{job:audit_verifier}};
