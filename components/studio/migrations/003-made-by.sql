-- Who issued a key and through which client; null of rows from before.
alter table studio.sdk_key add column created_by text, add column created_by_type text, add column created_through text;
grant select (created_by, created_by_type, created_through) on studio.sdk_key to {{app}};
