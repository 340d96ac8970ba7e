create schema mail;
grant usage on schema mail to {{app}}, {{job:mail}};

-- What is to be sent after the commit. Whom it goes to and what it says is personal data: erased once it is sent, and some
-- days after it was given up. What stays for a while is what an operator needs.
create table mail.letter (
  tenant_id uuid not null,
  letter_id uuid not null,
  -- SHA-256 of the key, which may hold an address.
  key bytea not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'dead')),
  recipient text,
  subject text,
  text text,
  html text,
  -- Each lease counts as one; what a lease found is noted under its number only.
  attempts int not null default 0,
  queued_at timestamptz not null,
  next_at timestamptz not null,
  settled_at timestamptz,
  reason text check (reason ~ '^[a-z0-9_]{1,40}$'),
  -- Whom it is for, by the digest that mail.address has; also once it was sent, so that one that comes back can be placed.
  address bytea check (octet_length(address) = 32),
  -- When a mail server sent back what it had taken: a worker tells its tenant, after which the row no longer knows whom it was for.
  returned_at timestamptz,
  -- Letters that are owed: whoever owes them says whom they go to and what they say when their turn comes, or that there is nothing to
  -- tell any more. Until then nothing of either is kept.
  owed_by text check (owed_by ~ '^[a-z]{1,40}$'),
  about text check (length(about) <= 200),
  reader text check (length(reader) <= 255),
  -- There is other news while it is on its way: only whoever gets it is told.
  renewed boolean not null default false,
  primary key (tenant_id, letter_id),
  unique (tenant_id, key),
  constraint letter_owed check (num_nulls(owed_by, about, reader) in (0, 3)),
  check (case state
    when 'queued' then settled_at is null
      and (owed_by is not null or recipient is not null and subject is not null and text is not null)
    when 'sent' then recipient is null and subject is null and text is null and html is null and settled_at is not null
    else settled_at is not null and reason is not null end)
);
create index letter_due on mail.letter (tenant_id, next_at) where state = 'queued';
create index letter_waiting on mail.letter (queued_at) where state = 'queued';
create index letter_dead on mail.letter (settled_at) where state = 'dead';
create index letter_settled on mail.letter (settled_at) where state <> 'queued';
create index letter_by_id on mail.letter (letter_id);
create index letter_about on mail.letter (tenant_id, owed_by, about) where owed_by is not null;
create index letter_returned on mail.letter (returned_at) where returned_at is not null and address is not null;

alter table mail.letter enable row level security;
alter table mail.letter force row level security;
create policy tenant on mail.letter to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy job on mail.letter to {{job:mail}} using (true) with check (true);
grant select, insert on mail.letter to {{app}};
-- A letter that waits for its hour takes newer words of the same key.
grant update (subject, text, html) on mail.letter to {{app}};
grant select, update, delete on mail.letter to {{job:mail}};

-- What is known of an address that a tenant has written to. By the SHA-256 of the address in lower case: who names it can ask about it,
-- and the table tells nobody's.
create table mail.address (
  tenant_id uuid not null,
  address bytea not null check (octet_length(address) = 32),
  -- What events call it.
  address_id uuid not null,
  -- When it was last asked whether it wants letters, and when whoever reads it said so.
  asked_at timestamptz,
  confirmed_at timestamptz,
  -- By whoever reads it, who alone takes it back.
  unsubscribed_at timestamptz,
  -- The last letter that a mail server refused for good.
  refused_at timestamptz,
  reason text check (reason ~ '^[a-z0-9_]{1,40}$'),
  -- It was the address that was refused: nothing is sent there until a member wants it tried again.
  stopped_at timestamptz,
  primary key (tenant_id, address),
  unique (tenant_id, address_id),
  check ((refused_at is null) = (reason is null)),
  check (stopped_at is null or refused_at is not null)
);
alter table mail.address enable row level security;
alter table mail.address force row level security;
create policy tenant on mail.address to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy job on mail.address to {{job:mail}} using (true) with check (true);
grant select, insert, update on mail.address to {{app}};
grant select, update on mail.address to {{job:mail}};
