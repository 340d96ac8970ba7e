-- What is given back of an order that was paid more than once is a payment made for each: those after `payment_id`, in the order in which they were made.
alter table bookkeeping.posting
  add column further_payment_ids uuid[] not null default '{}' check (cardinality(further_payment_ids) <= 1000),
  add check (payment_id is not null or further_payment_ids = '{}');
grant update (further_payment_ids) on bookkeeping.posting to {{app}};
