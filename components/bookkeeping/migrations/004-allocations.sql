-- What people recorded in the books of money that an order awaits: the order is told, once for each allocation to its invoice.
alter table bookkeeping.posting drop constraint posting_kind_check,
  add constraint posting_kind_check
    check (kind in ('invoice', 'payment', 'refund', 'cancellation', 'cost', 'edit_credit', 'edit_charge', 'allocation'));
create index posting_by_allocation on bookkeeping.posting (tenant_id, source_id) where kind = 'allocation';
