-- How much a visitor can have kept in a row, far beyond what doors let through; what was written before is not looked at.
alter table checkout.cart
  add constraint cart_sizes check (pg_column_size(lines) <= 2000000 and octet_length(array_to_string(codes, '')) <= 2000) not valid;
alter table checkout.session
  add constraint session_sizes check (pg_column_size(lines) <= 2000000 and octet_length(array_to_string(codes, '')) <= 2000
    and pg_column_size(shipping_address) <= 8000 and pg_column_size(billing_address) <= 8000 and pg_column_size(payment) <= 100000
    and pg_column_size(agreed) <= 4000000) not valid;
alter table checkout.request
  add constraint request_sizes check (octet_length(answer) <= 3000000) not valid;
