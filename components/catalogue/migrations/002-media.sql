-- What is served of a picture. Nobody changes it: it goes when no product and no brand shows it any more.
create table catalogue.picture (
  tenant_id uuid not null,
  -- Of its sizes and of the tenant: its address, which says everything that is served under it.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  width int not null check (width between 1 and 2048),
  height int not null check (height between 1 and 4096),
  primary key (tenant_id, digest)
);
-- Pages ask by the digest alone.
create unique index picture_by_digest on catalogue.picture (digest);

create table catalogue.picture_size (
  tenant_id uuid not null,
  digest text not null,
  -- Its width is at most this many pixels.
  fits int not null check (fits in (320, 640, 1280, 2048)),
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
  content bytea not null check (octet_length(content) between 1 and 41943040),
  primary key (tenant_id, digest, fits),
  foreign key (tenant_id, digest) references catalogue.picture (tenant_id, digest)
);
alter table catalogue.picture_size alter column content set storage external;

-- A picture that a product shows, or the logo of a brand; or one that is still to be fetched.
create table catalogue.medium (
  tenant_id uuid not null,
  medium_id uuid not null,
  product_id uuid,
  -- A brand of the portal's; checked when it is set.
  brand_id uuid,
  position int not null check (position between 0 and 49),
  alt text not null check (length(alt) <= 512),
  -- The variants that it shows; none: the product as such.
  variant_ids uuid[] not null default '{}' check (cardinality(variant_ids) <= 100),
  digest text,
  -- Where it comes from, if it was not uploaded.
  source text check (length(source) <= 2048),
  -- Why it was not fetched.
  failure text check (length(failure) <= 40),
  attempts int not null default 0,
  -- When it is fetched, or fetched again.
  next_at timestamptz,
  primary key (tenant_id, medium_id),
  foreign key (tenant_id, product_id) references catalogue.product (tenant_id, product_id),
  foreign key (tenant_id, digest) references catalogue.picture (tenant_id, digest),
  check (num_nonnulls(product_id, brand_id) = 1),
  check ((digest is not null)::int + (failure is not null)::int + (next_at is not null)::int = 1)
);
create index medium_by_product on catalogue.medium (tenant_id, product_id, position);
-- A logo that is shown, and one that waits to take its place or failed to.
create unique index medium_by_brand on catalogue.medium (tenant_id, brand_id, (digest is null)) where brand_id is not null;
create index medium_by_picture on catalogue.medium (tenant_id, digest) where digest is not null;
create index medium_due on catalogue.medium (tenant_id, next_at) where next_at is not null;

-- Tenants that wait for pictures, in the order in which one is fetched for each.
create table catalogue.medium_turn (
  tenant_id uuid primary key,
  -- Not after the first of its pictures is due.
  due_at timestamptz not null
);
create index medium_turn_due on catalogue.medium_turn (due_at);

-- How many bytes of pictures a tenant has: what tells its quota reads one row.
create table catalogue.pictured (
  tenant_id uuid primary key,
  bytes bigint not null
);

do $$
declare name text;
begin
  foreach name in array array['picture', 'picture_size', 'medium', 'medium_turn', 'pictured'] loop
    execute format('alter table catalogue.%I enable row level security', name);
    execute format('alter table catalogue.%I force row level security', name);
    execute format($policy$create policy tenant on catalogue.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('create policy verifier on catalogue.%I for select to {{job:audit_verifier}} using (true)', name);
  end loop;
end $$;

grant select, insert, delete on catalogue.picture, catalogue.picture_size, catalogue.medium to {{app}};
grant update (position, alt, variant_ids, digest, failure, attempts, next_at) on catalogue.medium to {{app}};
grant select, insert, update (bytes) on catalogue.pictured to {{app}};
grant select, insert, update (due_at) on catalogue.medium_turn to {{app}};

-- Pictures are asked for without a key, and fetched for one tenant after the other.
grant usage on schema catalogue to {{job:catalogue_media}};
create policy job on catalogue.picture for select to {{job:catalogue_media}} using (true);
create policy job on catalogue.picture_size for select to {{job:catalogue_media}} using (true);
create policy job on catalogue.medium_turn to {{job:catalogue_media}} using (true) with check (true);
grant select, delete, update (due_at) on catalogue.medium_turn to {{job:catalogue_media}};
create policy job on catalogue.medium to {{job:catalogue_media}} using (true) with check (true);
grant select (tenant_id, digest) on catalogue.picture to {{job:catalogue_media}};
grant select on catalogue.picture_size to {{job:catalogue_media}};
grant select (tenant_id, medium_id, source, next_at, attempts), update (attempts, next_at) on catalogue.medium to {{job:catalogue_media}};

-- For whoever verifies that they stand in the audit log.
grant select on catalogue.picture, catalogue.picture_size, catalogue.medium, catalogue.pictured to {{job:audit_verifier}};
