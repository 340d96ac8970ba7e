-- Whom an owner brought is there by themselves, also once that owner left. Null: it was not kept yet.
alter table identity.former_member add column role text;
