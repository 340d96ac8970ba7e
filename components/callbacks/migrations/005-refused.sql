-- What came to the address of a connection and was refused last: a secret that is not the provider's is found out by nothing else.
alter table callbacks.connection add column refused_at timestamptz, add column refusal text check (length(refusal) between 1 and 500);
grant update (refused_at, refusal) on callbacks.connection to {{app}}, {{job:callbacks}};
