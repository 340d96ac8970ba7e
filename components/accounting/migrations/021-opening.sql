-- Books are opened once: the entry that opens them is looked for before another does.
create index entry_opening on accounting.entry (tenant_id, entry_id) where kind = 'opening';
