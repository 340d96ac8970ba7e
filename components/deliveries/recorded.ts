import { madeAs } from '@steward/identity';
import { type DerivedRows, instantOf, madeAt, type RecordedRows } from '@steward/verification';

const endpointId = `(e.payload ->> 'endpoint_id')::uuid`;
const rowOfEndpoint = `from (select) o left join deliveries.endpoint r on r.tenant_id = e.tenant_id and r.endpoint_id = ${endpointId}`;
const standing = [
  'deliveries.endpoint.created',
  'deliveries.endpoint.paused',
  'deliveries.endpoint.disabled',
  'deliveries.endpoint.resumed',
];
const deleted = 'deliveries.endpoint.deleted';

/** What is decided about each webhook, and what its receivers check signatures with, by the newest event that says so. */
export const recorded: readonly (RecordedRows | DerivedRows)[] = [
  madeAt('webhook', 'deliveries.endpoint.created', {
    table: 'deliveries.endpoint',
    id: 'endpoint_id',
    column: 'created_at',
    key: endpointId,
  }),
  {
    what: 'webhook',
    types: [...standing, 'deliveries.endpoint.retargeted', 'deliveries.endpoint.updated', deleted],
    held: `select tenant_id, endpoint_id::text as key, concat_ws(' ', status, reason, 'version', version, encode(sha256(convert_to(url, 'UTF8')), 'hex'),
      coalesce(array_to_string(types, ','), 'all'), ordering, signing, agent_id, brand_id, per_second, updated_at, 'by', ${madeAs('w')}) as says from deliveries.endpoint w`,
    told: `select e.payload ->> 'endpoint_id' as key, case when e.type <> '${deleted}' then
      concat_ws(' ', e.payload ->> 'status', e.payload ->> 'reason', 'version', e.payload ->> 'version', e.payload ->> 'url_sha256',
        case jsonb_typeof(e.payload -> 'types') when 'array' then array_to_string(array(select jsonb_array_elements_text(e.payload -> 'types')), ',')
          else 'all' end, e.payload ->> 'ordering', e.payload ->> 'signing', e.payload ->> 'agent_id', e.payload ->> 'brand_id',
          e.payload ->> 'per_second', ${instantOf('updated_at')}, 'by', coalesce(e.payload ->> 'maker_sha256', ${madeAs('r')})) end as says
      ${rowOfEndpoint}`,
  },
  {
    what: 'standing of webhook',
    types: [...standing, deleted],
    held: `select tenant_id, endpoint_id::text as key, status_at::text as says from deliveries.endpoint`,
    told: `select e.payload ->> 'endpoint_id' as key, case when e.type <> '${deleted}' then (${instantOf('status_at')})::text end as says
      ${rowOfEndpoint}`,
  },
  {
    what: 'secret of webhook',
    types: ['deliveries.secret.issued', deleted],
    held: `select tenant_id, secret_id::text as key, concat_ws(' ', endpoint_id, public_key) as says from deliveries.secret`,
    told: `select e.payload ->> 'secret_id' as key, concat_ws(' ', e.payload ->> 'endpoint_id', e.payload ->> 'public_key') as says
      where e.type <> '${deleted}'
      union all select s, null from jsonb_array_elements_text(e.payload -> 'secret_ids') s where e.type = '${deleted}'`,
  },
];
