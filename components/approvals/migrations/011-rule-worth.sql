-- What a rule's limit may come to in the base currency, by the rate that the books had when a person made it: whoever posts under the
-- rule gives a rate of their own, and may set the stored one.
alter table approvals.standing_rule
  add column base_currency text,
  add column base_most bigint check (base_most >= 0),
  add check (num_nulls(base_currency, base_most) <> 1);
