-- What verification holds to the log besides: the template and the time of the books, rules of the bank, counters.
grant select (template, opened_at) on accounting.book to {{job:audit_verifier}};
grant select on accounting.bank_rule, accounting.series, accounting.attached to {{job:audit_verifier}};
create policy verifier on accounting.bank_rule for select to {{job:audit_verifier}} using (true);
create policy verifier on accounting.series for select to {{job:audit_verifier}} using (true);
create policy verifier on accounting.attached for select to {{job:audit_verifier}} using (true);
