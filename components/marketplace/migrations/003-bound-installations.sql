-- Whose it is before it is connected; null: nobody has shown its code yet.
alter table marketplace.installation add column for_tenant uuid;
grant update (for_tenant) on marketplace.installation to {{job:marketplace}};
