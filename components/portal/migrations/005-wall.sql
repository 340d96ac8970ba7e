-- Who is invited, what agents may do and what a tenant is billed is written by the application, and not by whoever has its login.
do $$
declare name text;
begin
  foreach name in array array['invitation', 'agent_grant', 'tool_policy', 'billing', 'tenant'] loop
    execute format('create trigger walled before insert or update or delete on portal.%I
      for each statement execute function platform.refuse_others()', name);
  end loop;
end $$;
