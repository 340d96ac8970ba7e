-- Lines of a bank ask for what is open by their amount.
create index item_open_amount on accounting.item (tenant_id, side, open_amount) where open_amount > 0;
