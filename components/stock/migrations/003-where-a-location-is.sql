-- Where buyers and carriers come to: `line1`, `line2`, `city`, `region`, `postcode`. The country is a column of its own.
alter table stock.location add column postal_address jsonb check (jsonb_typeof(postal_address) = 'object' and octet_length(postal_address::text) <= 4096);
grant update (postal_address) on stock.location to {{app}};
