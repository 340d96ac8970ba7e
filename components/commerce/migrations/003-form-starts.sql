-- How many visitors began to fill in a form.
alter table commerce.form_day add column starts bigint not null default 0 check (starts >= 0);
