import { madeAt, type RecordedRows } from '@steward/verification';
import { connectionContents } from './contents.ts';

const connectionId = `(e.payload ->> 'connection_id')::uuid`;
const settling = [
  'callbacks.delivery.applied',
  'callbacks.delivery.ignored',
  'callbacks.delivery.failed',
  'callbacks.delivery.rejected',
];

/** The rows that must agree with the audit log: connections, and what became of deliveries. */
export const recorded: readonly RecordedRows[] = [
  madeAt('provider connection', 'callbacks.connection.made', {
    table: 'callbacks.connection',
    id: 'connection_id',
    column: 'created_at',
    key: connectionId,
  }),
  {
    what: 'contents of provider connection',
    types: ['callbacks.connection.made', 'callbacks.connection.rotated'],
    held: `select tenant_id, key::text as key, digest as says from (${connectionContents}) c`,
    told: `select e.payload ->> 'connection_id' as key, e.payload ->> 'content_sha256' as says`,
  },
  {
    what: 'version of provider connection',
    types: [
      'callbacks.connection.made',
      'callbacks.connection.rotated',
      'callbacks.connection.paused',
      'callbacks.connection.resumed',
      'callbacks.connection.removed',
    ],
    held: `select tenant_id, connection_id::text as key, version::text as says from callbacks.connection`,
    told: `select e.payload ->> 'connection_id' as key, e.payload ->> 'version' as says`,
  },
  {
    what: 'standing of provider connection',
    types: [
      'callbacks.connection.made',
      'callbacks.connection.paused',
      'callbacks.connection.resumed',
      'callbacks.connection.removed',
    ],
    held: `select tenant_id, connection_id::text as key,
      case when status in ('paused', 'removed') then status else 'in use' end as says from callbacks.connection`,
    told: `select e.payload ->> 'connection_id' as key, case e.type when 'callbacks.connection.paused' then 'paused'
      when 'callbacks.connection.removed' then 'removed' else 'in use' end as says`,
  },
  {
    what: 'outcome of delivery of a provider',
    types: [...settling, 'callbacks.delivery.retried', 'callbacks.deliveries.replayed'],
    // What waits has no outcome; what came in conflict stands in an event of the first one.
    held: `select tenant_id, delivery_id::text as key, concat_ws(' ', status, receiver, provider, topic, connection_id, became) as says
      from callbacks.delivery where status in ('applied', 'ignored', 'dead')`,
    told: `select told.id as key, case e.type
        when 'callbacks.delivery.applied' then concat_ws(' ', 'applied', e.payload ->> 'receiver', e.payload ->> 'provider',
          e.payload ->> 'topic', e.payload ->> 'connection_id', e.payload -> 'became')
        when 'callbacks.delivery.ignored' then concat_ws(' ', 'ignored', e.payload ->> 'receiver', e.payload ->> 'provider',
          e.payload ->> 'topic', e.payload ->> 'connection_id', '[]')
        when 'callbacks.delivery.failed' then concat_ws(' ', 'dead', e.payload ->> 'receiver', e.payload ->> 'provider',
          e.payload ->> 'topic', e.payload ->> 'connection_id', r.became) end as says
      from (select e.payload ->> 'delivery_id' where e.payload ? 'delivery_id'
        union all select jsonb_array_elements_text(e.payload -> 'delivery_ids')) told (id)
      left join callbacks.delivery r on r.tenant_id = e.tenant_id and r.delivery_id = told.id::uuid`,
  },
];
