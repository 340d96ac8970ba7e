/** The past of a log: no clock can be set back to append there, so rows are made in the database by the published rule. */
export const feedFunction = `
create function public.feed(p_tenant uuid, p_day date, p_count int) returns void language plpgsql as $$
declare
  previous bytea := sha256(convert_to(e'audit-genesis/v1\\n' || p_tenant, 'UTF8'));
  received timestamptz;
  ms bigint;
  id text;
  key text;
  event text;
  hashed bytea;
begin
  for n in 1 .. p_count loop
    received := date_trunc('milliseconds', p_day::timestamp at time zone 'UTC' + n * (interval '86399 s' / p_count));
    ms := extract(epoch from received) * 1000;
    id := gen_random_uuid();
    key := gen_random_uuid();
    event := '{"correlationId":"' || gen_random_uuid() || '","dimensionalTags":{"channel":"web","region":"eu"},'
      || '"eventVersion":"1.0.0","grammar":"commerce","grammarDigest":"' || repeat('5f', 32) || '","id":"' || id
      || '","idempotencyKey":"' || key || '","ingestedBy":{"principalId":"alice","principalType":"user"},'
      || '"occurredAt":"' || to_char(received at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","payload":{"channel":"web","lines":3,"order_id":"' || id || '","total":{"amount":"129.90","currency":"EUR"}},'
      || '"principalChain":[{"principalId":"alice","principalType":"user"}],"source":"marketplace","tenantId":"'
      || p_tenant || '","type":"commerce.order.imported"}';
    hashed := sha256(convert_to(e'audit-event/v1\\n' || event, 'UTF8'));
    previous := sha256('audit-row/v1\\012'::bytea || previous || int8send(n) || int8send(ms) || hashed);
    insert into audit.event (tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar, occurred_at,
      causal_id, correlation_id, principals, event)
    values (p_tenant, n, received, hashed, previous, id::uuid, 'commerce.order.imported', 'commerce', received, null,
      substr(event, 19, 36), '{user:alice}', event);
    insert into audit.idempotency (tenant_id, key, sequence) values (p_tenant, key, n);
  end loop;
  insert into audit.head (tenant_id, sequence, row_hash, received_at) values (p_tenant, p_count, previous, received);
end
$$`;
