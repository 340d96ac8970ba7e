-- For whoever verifies that entries say what the log tells of them, and that sums are those of what they sum up.
grant select on accounting.entry, accounting.posting, accounting.balance to {{job:audit_verifier}};
grant select (tenant_id, item_id, amount, base_amount, open_amount, open_base, void_on) on accounting.item to {{job:audit_verifier}};
grant select (tenant_id, credit_id, charge_id, amount, credit_base, charge_base, undone_on) on accounting.allocation to {{job:audit_verifier}};
grant select (tenant_id, base_currency, fiscal_year_start_month) on accounting.book to {{job:audit_verifier}};
create policy verifier on accounting.balance for select to {{job:audit_verifier}} using (true);
create policy verifier on accounting.item for select to {{job:audit_verifier}} using (true);
create policy verifier on accounting.allocation for select to {{job:audit_verifier}} using (true);
create policy verifier on accounting.book for select to {{job:audit_verifier}} using (true);
