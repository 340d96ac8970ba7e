create schema console;
grant usage on schema console to {{app}}, {{job:console}};

-- Who is signed in, and where: of a person and a browser, of no organization. A row is found by the digest of what the browser holds, and its tokens are sealed by
-- a key that the database has not.
create table console.session (
  session_id uuid primary key,
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- As tokens of its issuer name the person.
  issuer text not null check (length(issuer) <= 2000),
  subject text not null check (length(subject) between 1 and 255),
  -- The browser, as it calls itself.
  client text not null check (length(client) <= 200),
  sealed text not null check (length(sealed) <= 100000),
  version int not null default 1 check (version >= 1),
  -- One process renews the tokens at a time.
  leased_until timestamptz,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null
);
create index session_of_person on console.session (issuer, subject, started_at desc);
create index session_ended on console.session (ends_at);
alter table console.session enable row level security;
alter table console.session force row level security;
create policy sessions on console.session to {{job:console}} using (true) with check (true);
grant select, insert, update, delete on console.session to {{job:console}};
