-- Minor digits of the currencies of ISO 4217, as of 2026-01-01; null for what is none or has no minor unit. The kernel has the
-- same list, and a test holds the two together.
create function accounting.minor_digits(p_currency text) returns int language sql immutable parallel safe as $$
  select case
    when p_currency = any ('{
      BIF,CLP,DJF,GNF,ISK,JPY,KMF,KRW,PYG,RWF,UGX,UYI,VND,VUV,XAF,XOF,XPF}'::text[]) then 0
    when p_currency = any ('{
      AED,AFN,ALL,AMD,AOA,ARS,AUD,AWG,AZN,BAM,BBD,BDT,BMD,BND,BOB,BOV,BRL,BSD,BTN,BWP,BYN,BZD,CAD,CDF,CHE,CHF,CHW,CNY,
      COP,COU,CRC,CUP,CVE,CZK,DKK,DOP,DZD,EGP,ERN,ETB,EUR,FJD,FKP,GBP,GEL,GHS,GIP,GMD,GTQ,GYD,HKD,HNL,HTG,HUF,IDR,ILS,
      INR,IRR,JMD,KES,KGS,KHR,KPW,KYD,KZT,LAK,LBP,LKR,LRD,LSL,MAD,MDL,MGA,MKD,MMK,MNT,MOP,MRU,MUR,MVR,MWK,MXN,MXV,MYR,
      MZN,NAD,NGN,NIO,NOK,NPR,NZD,PAB,PEN,PGK,PHP,PKR,PLN,QAR,RON,RSD,RUB,SAR,SBD,SCR,SDG,SEK,SGD,SHP,SLE,SOS,SRD,SSP,
      STN,SVC,SYP,SZL,THB,TJS,TMT,TOP,TRY,TTD,TWD,TZS,UAH,USD,USN,UYU,UZS,VED,VES,WST,XCD,XCG,YER,ZAR,ZMW,ZWG}'::text[]) then 2
    when p_currency = any ('{
      BHD,IQD,JOD,KWD,LYD,OMR,TND}'::text[]) then 3
    when p_currency = any ('{
      CLF,UYW}'::text[]) then 4
  end
$$;

do $$
declare
  place record;
begin
  for place in select * from (values ('book', 'base_currency'), ('account', 'currency'), ('rate', 'currency'), ('entry', 'currency'),
    ('party', 'currency'), ('document', 'currency'), ('payment', 'currency'), ('bank_statement', 'currency')) p (relation, name) loop
    execute format('alter table accounting.%I add constraint %I check (accounting.minor_digits(%I) is not null)',
      place.relation, place.relation || '_iso_4217', place.name);
  end loop;
end
$$;
