-- Keeps what is newly known of what a person is called; what is not said stays.
create or replace function identity.remember_person(id text, display_name text, email text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  insert into identity.person as p (id, display_name, email) values ($1, $2, $3)
  on conflict (id) do update set display_name = coalesce($2, p.display_name), email = coalesce($3, p.email),
    changed_at = clock_timestamp()
  where (p.display_name, p.email) is distinct from (coalesce($2, p.display_name), coalesce($3, p.email))
$$;
alter function identity.remember_person(text, text, text) owner to {{job:directory}};
revoke execute on function identity.remember_person(text, text, text) from public;
grant execute on function identity.remember_person(text, text, text) to {{app}};

create or replace function identity.people(ids text[]) returns table (id text, display_name text, email text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.id, p.display_name, p.email from identity.person p where p.id = any (ids)
$$;
alter function identity.people(text[]) owner to {{job:directory}};
revoke execute on function identity.people(text[]) from public;
grant execute on function identity.people(text[]) to {{app}};
