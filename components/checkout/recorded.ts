import { instantOf, madeAt, type RecordedRows, rowOf } from '@steward/verification';
import { contentsBy } from './contents.ts';

/** Version, contents and standing of a noun, as its events tell them. */
function settingRows(
  what: string,
  noun: 'tax_zone' | 'shipping_zone' | 'shipping_option' | 'discount',
): RecordedRows[] {
  const table = `checkout.${noun}`;
  const id = `${noun}_id`;
  const key = `(e.payload ->> '${id}')::uuid`;
  const type = (verb: string): string => ['commerce', noun, verb].join('.');
  const types = (...verbs: string[]): string[] => verbs.map(type);
  return [
    madeAt(what, type('created'), { table, id, column: 'created_at', key }),
    {
      what,
      types: types('created', 'updated'),
      held: `select tenant_id, ${id}::text as key, concat_ws(' ', 'version', version, updated_at) as says from ${table}`,
      told: `select e.payload ->> '${id}' as key,
        concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')}) as says ${rowOf(table, id, key)}`,
    },
    {
      what: `contents of ${what}`,
      types: types('created', 'updated'),
      held: `select tenant_id, key::text as key, digest as says from (${contentsBy[noun]}) c`,
      told: `select e.payload ->> '${id}' as key, e.payload ->> 'content_sha256' as says`,
    },
    {
      what: `standing of ${what}`,
      types: types('created', 'archived'),
      held: `select tenant_id, ${id}::text as key, coalesce('archived ' || archived_at, 'in use') as says from ${table}`,
      told: `select e.payload ->> '${id}' as key,
        case e.type when '${type('archived')}' then 'archived ' || (${instantOf('archived_at')}) else 'in use' end as says
        ${rowOf(table, id, key)}`,
    },
  ];
}

/** The rows that must agree with the audit log: what a shop sells by. */
export const recorded: readonly RecordedRows[] = [
  ...settingRows('tax zone', 'tax_zone'),
  ...settingRows('shipping zone', 'shipping_zone'),
  ...settingRows('shipping option', 'shipping_option'),
  ...settingRows('discount', 'discount'),
  {
    what: 'kind of discount',
    types: ['commerce.discount.created'],
    held: `select tenant_id, discount_id::text as key, kind as says from checkout.discount`,
    told: `select e.payload ->> 'discount_id' as key, e.payload ->> 'kind' as says`,
  },
  {
    what: 'zone and kind of shipping option',
    types: ['commerce.shipping_option.created'],
    held: `select tenant_id, shipping_option_id::text as key, concat_ws(' ', kind, shipping_zone_id) as says
      from checkout.shipping_option`,
    told: `select e.payload ->> 'shipping_option_id' as key,
      concat_ws(' ', e.payload ->> 'kind', e.payload ->> 'shipping_zone_id') as says`,
  },
  {
    what: 'contents of tax settings',
    types: ['commerce.tax_settings.changed'],
    held: `select tenant_id, key::text as key, digest as says from (${contentsBy.tax_setting}) c`,
    told: `select e.tenant_id::text as key, e.payload ->> 'content_sha256' as says`,
  },
  {
    what: 'tax settings',
    types: ['commerce.tax_settings.changed'],
    held: `select tenant_id, tenant_id::text as key, 'version ' || version as says from checkout.tax_setting`,
    told: `select e.tenant_id::text as key, 'version ' || (e.payload ->> 'version') as says`,
  },
];
