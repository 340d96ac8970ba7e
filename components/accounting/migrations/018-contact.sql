-- The CRM's contact of the same person, by its id; it may have been merged since, or erased.
alter table accounting.party add column contact_id uuid;
create index party_contact on accounting.party (tenant_id, contact_id) where contact_id is not null;
-- What contacts are suggested by.
alter table accounting.party add column email_key text collate "C" generated always as (lower(email)) stored;
create index party_email on accounting.party (tenant_id, email_key) where email_key is not null;
-- When the person was erased: what is left is what the books need.
alter table accounting.party add column erased_at timestamptz;
grant update (contact_id, erased_at) on accounting.party to {{app}};
