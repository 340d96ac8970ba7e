-- What a command answered may be about a person who asks to be forgotten: then the answer goes, and that there was one stays.
alter table tools.command_step add column erased_at timestamptz;
grant update (result, erased_at) on tools.command_step to {{app}};
