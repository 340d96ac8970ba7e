-- What the books said came in, and took back: it had paid something else, or its payment is void.
alter table orders.payment_operation drop constraint payment_operation_kind_check,
  add constraint payment_operation_kind_check check (kind in ('capture', 'received', 'reversed', 'void', 'refund'));
