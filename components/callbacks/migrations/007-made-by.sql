-- Who made a connection and through which client, and who gave a secret of it; null of rows from before.
alter table callbacks.connection add column created_by text, add column created_by_type text, add column created_through text;
alter table callbacks.secret add column created_by text, add column created_by_type text, add column created_through text;
