import { type DerivedRows, madeAt, type RecordedRows, rowOf } from '@steward/verification';
import { contents } from '../contents.ts';

const editId = `(e.payload ->> 'edit_id')::uuid`;
const live = `e.payload ->> 'mode' = 'live'`;

/** Edits, and each version of an order that they made or went out from. */
export const recordedEdits: readonly (RecordedRows | DerivedRows)[] = [
  madeAt('edit of an order', 'commerce.order.edited', {
    table: 'orders.edit',
    id: 'edit_id',
    column: 'created_at',
    key: editId,
  }),
  {
    what: 'edit of order',
    types: ['commerce.order.edited'],
    held: `select tenant_id, edit_id::text as key, concat_ws(' ', 'of', order_id, 'version', version_before, 'to', version, readdressed) as says
      from orders.edit where mode = 'live'`,
    told: `select e.payload ->> 'edit_id' as key, concat_ws(' ', 'of', e.payload ->> 'order_id', 'version', e.payload ->> 'version_before', 'to',
      e.payload ->> 'version', case e.payload ->> 'readdressed' when 'true' then 't' else 'f' end) as says ${rowOf('orders.edit', 'edit_id', editId)} where ${live}`,
  },
  {
    what: 'version of an edited order',
    types: ['commerce.order.edited'],
    held: `select v.tenant_id, concat_ws(' ', v.key, v.version) as key, v.digest as says from (${contents.version}) v where v.mode = 'live'`,
    told: `select concat_ws(' ', e.payload ->> 'order_id', v.version) as key, v.digest as says
      from (values (e.payload ->> 'version_before', e.payload ->> 'before_sha256'), (e.payload ->> 'version', e.payload ->> 'after_sha256')) v (version, digest)
      where ${live}`,
  },
];
