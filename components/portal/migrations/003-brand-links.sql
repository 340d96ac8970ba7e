-- Pages of a brand that buyers are led to before they buy: addresses by what they say.
alter table portal.brand add column links jsonb not null default '{}' check (jsonb_typeof(links) = 'object');
grant select (links) on portal.brand to {{job:audit_verifier}};
