-- When the row came, by the clock: a checkout of a past that is told only now has ended long ago, and is still of use to whoever tells of it.
alter table checkout.session add column came_at timestamptz not null default now();
