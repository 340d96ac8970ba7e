-- For whoever verifies that documents, payments, what pays what, and what banks said are what the log and the entries say of them.
do $$
declare
  relation text;
begin
  foreach relation in array array['account', 'document', 'document_line', 'payment', 'revaluation', 'revaluation_item', 'bank_statement',
    'bank_line', 'bank_match', 'reconciliation'] loop
    execute format('grant select on accounting.%I to {{job:audit_verifier}}', relation);
    execute format('create policy verifier on accounting.%I for select to {{job:audit_verifier}} using (true)', relation);
  end loop;
end
$$;
grant select on accounting.item, accounting.allocation to {{job:audit_verifier}};
