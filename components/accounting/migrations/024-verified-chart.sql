-- For whoever verifies that accounts, parties, taxes and rates are what the log says of them.
-- What the log keeps of a party is a digest with this in it: from that alone nobody guesses a name or an address, and it is made anew where
-- the person is erased, so that what was logged before leads nowhere.
alter table accounting.party add column salt uuid not null default gen_random_uuid();
grant update (salt) on accounting.party to {{app}};
do $$
declare
  relation text;
begin
  foreach relation in array array['party', 'tax', 'rate'] loop
    execute format('grant select on accounting.%I to {{job:audit_verifier}}', relation);
    execute format('create policy verifier on accounting.%I for select to {{job:audit_verifier}} using (true)', relation);
  end loop;
end
$$;
