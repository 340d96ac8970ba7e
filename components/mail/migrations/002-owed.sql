-- Letters that are owed: whoever owes them says whom they go to and what they say when their turn comes, or that there is nothing to tell
-- any more. Until then nothing of either is kept.
alter table mail.letter add column owed_by text check (owed_by ~ '^[a-z]{1,40}$'),
  add column about text check (length(about) <= 200),
  add column reader text check (length(reader) <= 255),
  -- There is other news while it is on its way: only whoever gets it is told.
  add column renewed boolean not null default false;
alter table mail.letter drop constraint letter_check;
alter table mail.letter add constraint letter_check check (case state
    when 'queued' then settled_at is null
      and (owed_by is not null or recipient is not null and subject is not null and text is not null)
    when 'sent' then recipient is null and subject is null and text is null and html is null and settled_at is not null
    else settled_at is not null and reason is not null end);
alter table mail.letter add constraint letter_owed check (num_nulls(owed_by, about, reader) in (0, 3));
create index letter_about on mail.letter (tenant_id, owed_by, about) where owed_by is not null;
