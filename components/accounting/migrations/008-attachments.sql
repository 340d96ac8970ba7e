-- Files by their content, once a tenant.
create table accounting.blob (
  tenant_id uuid not null references accounting.book,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content bytea not null check (octet_length(content) between 1 and 10485760),
  primary key (tenant_id, sha256),
  check (encode(sha256(content), 'hex') = sha256)
);
alter table accounting.blob alter column content set storage external;

-- What a file belongs to. Taken away by a time, never deleted: the audit log holds its hash.
create table accounting.attachment (
  tenant_id uuid not null references accounting.book,
  attachment_id uuid not null,
  target_kind text not null check (target_kind in ('entry', 'document', 'payment', 'bank_line')),
  target_id uuid not null,
  file_name text not null check (length(file_name) between 1 and 255),
  media_type text not null check (length(media_type) <= 100),
  bytes int not null check (bytes > 0),
  sha256 text not null,
  attached_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  primary key (tenant_id, attachment_id),
  foreign key (tenant_id, sha256) references accounting.blob
);
create index attachment_target on accounting.attachment (tenant_id, target_id) where removed_at is null;

do $$
declare
  relation text;
begin
  foreach relation in array array['blob', 'attachment'] loop
    execute format('alter table accounting.%I enable row level security', relation);
    execute format('alter table accounting.%I force row level security', relation);
    execute format($policy$create policy tenant on accounting.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('grant select, insert on accounting.%I to {{app}}', relation);
  end loop;
end
$$;
grant update (removed_at) on accounting.attachment to {{app}};
