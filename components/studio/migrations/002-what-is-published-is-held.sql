-- What sites, keys and forms say is in the digests of their events, so that verification tells of it where it is rewritten. With the salt,
-- nobody guesses from a digest whom a form writes to.
alter table studio.form add column salt uuid not null default gen_random_uuid();
grant select (name, origins, default_country, requests_per_minute) on studio.site to {{job:audit_verifier}};
grant select (key_hash, last_four, label, origins) on studio.sdk_key to {{job:audit_verifier}};
grant select (salt, name, draft) on studio.form to {{job:audit_verifier}};
grant select (name, definition, document) on studio.form_version to {{job:audit_verifier}};
