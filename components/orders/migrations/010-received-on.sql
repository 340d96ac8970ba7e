alter table orders.payment_operation
  -- The day on which money arrived, where somebody said it; null: as it was recorded.
  add column received_on date check (received_on is null or kind = 'received');
grant select (received_on) on orders.payment_operation to {{job:audit_verifier}};
