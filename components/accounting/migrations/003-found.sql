-- What a line of the bank is found by: people look for the amount that they see on a statement.
create index bank_line_amount on accounting.bank_line (tenant_id, amount);
