-- Who connected a channel the last time and through which client; null of rows from before.
alter table marketplace.channel add column created_by text, add column created_by_type text, add column created_through text;
grant update (created_by, created_by_type, created_through) on marketplace.channel to {{app}};
