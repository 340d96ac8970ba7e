-- What a merge did not take over, for the contact that stays had its own: kept with the one that was merged, and gone with it.
alter table crm.contact add column discarded jsonb
  check (discarded is null or (merged_into is not null and jsonb_typeof(discarded) = 'object'));
