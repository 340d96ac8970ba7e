-- Where buyers pay to, a line each, as invoices print it. What is issued keeps it.
alter table accounting.seller add column payment_details text check (length(payment_details) between 1 and 500);
grant update (payment_details) on accounting.seller to {{app}};
alter table accounting.document add column seller_payment_details text check (length(seller_payment_details) <= 500),
  add constraint document_paid_to check (kind = 'invoice' or seller_payment_details is null);
