import { type DerivedRows, instantOf, madeAt, type RecordedRows, rowOf } from '@steward/verification';

const locationId = `(e.payload ->> 'location_id')::uuid`;
const rowOfLocation = rowOf('stock.location', 'location_id', locationId);

/** What is on hand at each level of what is not of tests, by the newest event that moved it; nothing of test is recorded. */
export const recorded: readonly (RecordedRows | DerivedRows)[] = [
  madeAt('location', 'commerce.location.created', {
    table: 'stock.location',
    id: 'location_id',
    column: 'created_at',
    key: locationId,
  }),
  {
    what: 'location',
    types: [
      'commerce.location.created',
      'commerce.location.updated',
      'commerce.location.archived',
      'commerce.location.restored',
    ],
    held: `select tenant_id, location_id::text as key, concat_ws(' ', 'version', version, updated_at) as says from stock.location`,
    told: `select e.payload ->> 'location_id' as key,
      concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')}) as says ${rowOfLocation}`,
  },
  {
    what: 'standing of location',
    types: ['commerce.location.created', 'commerce.location.archived', 'commerce.location.restored'],
    held: `select tenant_id, location_id::text as key, coalesce('archived ' || archived_at, 'in use') as says from stock.location`,
    told: `select e.payload ->> 'location_id' as key,
      case e.type when 'commerce.location.archived' then 'archived ' || (${instantOf('archived_at')}) else 'in use' end as says
      ${rowOfLocation}`,
  },
  {
    what: 'stock item',
    types: ['commerce.stock_item.created', 'commerce.stock_item.updated'],
    held: `select tenant_id, item_id::text as key, concat_ws(' ', policy, 'version', version, updated_at) as says from stock.item`,
    told: `select told.key, concat_ws(' ', told.policy, 'version', told.version, ${instantOf('updated_at')}) as says
      from (select e.payload ->> 'item_id' as key, e.payload ->> 'policy' as policy, e.payload ->> 'version' as version
          where e.type = 'commerce.stock_item.updated'
        union all select i ->> 'item_id', i ->> 'policy', '1' from jsonb_array_elements(e.payload -> 'items') i
          where e.type = 'commerce.stock_item.created') told
      left join stock.item r on r.tenant_id = e.tenant_id and r.item_id = told.key::uuid`,
  },
  {
    what: 'time of stock item',
    types: ['commerce.stock_item.created'],
    held: `select tenant_id, item_id::text as key, created_at::text as says from stock.item`,
    told: `select i ->> 'item_id' as key, (${instantOf('created_at')})::text as says from jsonb_array_elements(e.payload -> 'items') i
      left join stock.item r on r.tenant_id = e.tenant_id and r.item_id = (i ->> 'item_id')::uuid`,
  },
  {
    what: 'what variant takes',
    types: ['commerce.stock.required'],
    held: `select tenant_id, variant_id::text as key, string_agg(concat_ws(' x ', quantity, item_id), ' ' order by item_id) as says
      from stock.requirement group by tenant_id, variant_id`,
    told: `select v ->> 'variant_id' as key, (select string_agg(concat_ws(' x ', i ->> 'quantity', i ->> 'item_id'), ' ' order by (i ->> 'item_id')::uuid)
        from jsonb_array_elements(v -> 'items') i) as says
      from jsonb_array_elements(e.payload -> 'variants') v`,
  },
  {
    what: 'stock on hand',
    types: [
      'commerce.stock.adjusted',
      'commerce.stock.counted',
      'commerce.stock.transferred',
      'commerce.stock.shipped',
      'commerce.stock.restocked',
    ],
    // An empty level is taken away when its location is archived.
    held: `select tenant_id, concat_ws(' at ', item_id, location_id) as key, on_hand::text as says from stock.level
      where mode = 'live' and on_hand <> 0`,
    told: `select concat_ws(' at ', l ->> 'item_id', l ->> 'location_id') as key, nullif(l ->> 'on_hand', '0') as says
      from jsonb_array_elements(e.payload -> 'levels') l where coalesce(e.payload ->> 'mode', 'live') = 'live'`,
  },
  {
    what: 'cost of movement',
    types: ['commerce.stock.costed'],
    held: `select tenant_id, movement_id::text as key, concat_ws(' ', item_id, costed, 'for', cost, 'late', late_costed, 'for', late_cost) as says
      from stock.movement where (costed, cost, late_costed, late_cost) <> (0, 0, 0, 0)`,
    told: `select m ->> 'movement_id' as key, concat_ws(' ', m ->> 'item_id', m ->> 'costed', 'for', m ->> 'cost', 'late', m ->> 'late_costed', 'for',
      m ->> 'late_cost') as says from jsonb_array_elements(e.payload -> 'movements') m`,
  },
  {
    what: 'value of stock item',
    from: 'its movements',
    held: `select tenant_id, item_id::text as key, concat_ws(' for ', costed, value) as says from stock.valuation where costed <> 0 or value <> 0`,
    due: `select tenant_id, item_id::text as key, concat_ws(' for ', sum(costed), sum(cost)) as says from stock.movement
      where mode = 'live' group by tenant_id, item_id having sum(costed) <> 0`,
  },
  {
    what: 'incoming stock',
    from: 'its movements',
    held: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, incoming::text as says from stock.level where incoming <> 0`,
    due: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, sum(incoming)::text as says from stock.movement
      group by tenant_id, mode, item_id, location_id having sum(incoming) <> 0`,
  },
  {
    what: 'stock',
    from: 'its movements',
    held: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, concat_ws(' ', on_hand, 'of which', reserved, 'reserved') as says
      from stock.level where on_hand <> 0 or reserved <> 0`,
    due: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, concat_ws(' ', sum(on_hand), 'of which', sum(reserved), 'reserved') as says
      from stock.movement group by tenant_id, mode, item_id, location_id having sum(on_hand) <> 0 or sum(reserved) <> 0`,
  },
  {
    what: 'reserved stock',
    from: 'its reservations',
    held: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, reserved::text as says from stock.level where reserved <> 0`,
    due: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, sum(quantity)::text as says from stock.reservation
      group by tenant_id, mode, item_id, location_id`,
  },
  {
    what: 'policy of stock',
    from: 'its item',
    held: `select tenant_id, concat_ws(' ', mode, item_id, 'at', location_id) as key, overdraw::text as says from stock.level`,
    due: `select l.tenant_id, concat_ws(' ', l.mode, l.item_id, 'at', l.location_id) as key, (i.policy = 'continue')::text as says
      from stock.level l join stock.item i on i.tenant_id = l.tenant_id and i.item_id = l.item_id`,
  },
];
