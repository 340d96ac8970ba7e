-- In which language invoices and credit notes are written. Null: English. What is issued keeps it.
alter table accounting.seller add column language text check (language in ('de', 'es', 'ja'));
grant update (language) on accounting.seller to {{app}};
alter table accounting.document add column seller_language text check (seller_language in ('de', 'es', 'ja'));
