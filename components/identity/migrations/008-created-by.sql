-- Who made somebody a member, so that all whom they brought can be found once they are suspended themselves.
alter table identity.member add column created_by text;
create index member_created_by on identity.member (tenant_id, created_by) where created_by is not null;
