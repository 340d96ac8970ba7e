-- Whether the person may be sent news: what was said last (`given`), when (`at`), and where it came from (`source`). Null: nobody has said.
alter table crm.contact add column marketing_consent jsonb check (jsonb_typeof(marketing_consent) = 'object');
grant select (marketing_consent) on crm.contact to {{job:audit_verifier}};
