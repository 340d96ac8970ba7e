import { contents } from './contents.ts';
import { instantOf, madeAt, rowOf, type RecordedRows } from '@steward/verification';

const siteId = `(e.payload ->> 'site_id')::uuid`;
const formId = `(e.payload ->> 'form_id')::uuid`;
const rowOfSite = rowOf('studio.site', 'site_id', siteId);
const rowOfForm = rowOf('studio.form', 'form_id', formId);
/** The key that an event is about first of all: of a rotation, the new one. */
const keyId = `coalesce(e.payload ->> 'new_key_id', e.payload ->> 'key_id')::uuid`;
const rowOfKey = rowOf('studio.sdk_key', 'key_id', keyId);
const end = (instant: string): string =>
  `coalesce('ends ' || to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'without end')`;

/** What rows say, by the digest in the events that changed it; events of earlier versions have none. @param key as text, of an event */
const saying = (noun: keyof typeof contents, what: string, types: readonly string[], key: string): RecordedRows => ({
  what: `what ${what} says`,
  types,
  held: `select tenant_id, key, digest as says from (${contents[noun]}) c`,
  told: `select ${key} as key, coalesce(e.payload ->> 'content_sha256',
      (select c.digest from (${contents[noun]}) c where c.tenant_id = e.tenant_id and c.key = ${key})) as says`,
});

/** The rows that must agree with the audit log: sites, keys, forms and their versions. */
export const recorded: readonly RecordedRows[] = [
  saying('site', 'site', ['studio.site.created', 'studio.site.updated'], `e.payload ->> 'site_id'`),
  saying('key', 'key', ['studio.sdk_key.issued', 'studio.sdk_key.rotated'], `(${keyId})::text`),
  saying('draft', 'draft of form', ['studio.form.created', 'studio.form.updated'], `e.payload ->> 'form_id'`),
  saying(
    'version',
    'version of form',
    ['studio.form.published'],
    `concat_ws(' ', e.payload ->> 'form_id', e.payload ->> 'version')`,
  ),
  madeAt('site', 'studio.site.created', { table: 'studio.site', id: 'site_id', column: 'created_at', key: siteId }),
  {
    what: 'site',
    types: ['studio.site.created', 'studio.site.updated'],
    held: `select tenant_id, site_id::text as key, concat_ws(' ', 'version', version, updated_at) as says from studio.site`,
    told: `select e.payload ->> 'site_id' as key,
      concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')}) as says ${rowOfSite}`,
  },
  {
    what: 'brand of site',
    types: ['studio.site.created', 'studio.site.updated'],
    held: `select tenant_id, site_id::text as key, brand_id::text as says from studio.site`,
    // An event that changes it does not say to which.
    told: `select e.payload ->> 'site_id' as key, coalesce(e.payload ->> 'brand_id', r.brand_id::text) as says ${rowOfSite}
      where e.type = 'studio.site.created' or e.payload -> 'fields' ? 'brand'`,
  },
  {
    what: 'standing of site',
    types: ['studio.site.created', 'studio.site.disabled', 'studio.site.enabled'],
    held: `select tenant_id, site_id::text as key, status as says from studio.site`,
    told: `select e.payload ->> 'site_id' as key, case e.type when 'studio.site.disabled' then 'disabled' else 'active' end as says`,
  },
  {
    what: 'key',
    types: ['studio.sdk_key.issued', 'studio.sdk_key.rotated'],
    held: `select tenant_id, key_id::text as key, concat_ws(' ', site_id, mode, replaces, created_at) as says from studio.sdk_key`,
    // A key has the mode of the one that it takes over from.
    told: `select (${keyId})::text as key, concat_ws(' ', e.payload ->> 'site_id', coalesce(e.payload ->> 'mode', before.mode),
        case e.type when 'studio.sdk_key.rotated' then e.payload ->> 'key_id' end, ${instantOf('created_at')}) as says
      ${rowOfKey}
      left join studio.sdk_key before on before.tenant_id = e.tenant_id and before.key_id = (e.payload ->> 'key_id')::uuid`,
  },
  {
    what: 'end of key',
    types: ['studio.sdk_key.issued', 'studio.sdk_key.rotated'],
    held: `select tenant_id, key_id::text as key, ${end('expires_at')} as says from studio.sdk_key`,
    told: `select key, ${end('ends')} as says from (values
      (e.payload ->> 'key_id', (e.payload ->> 'old_key_ends_at')::timestamptz), (e.payload ->> 'new_key_id', null)) told (key, ends)
      where key is not null`,
  },
  {
    what: 'standing of key',
    types: ['studio.sdk_key.issued', 'studio.sdk_key.rotated', 'studio.sdk_key.revoked'],
    held: `select tenant_id, key_id::text as key, coalesce('revoked ' || revoked_at, 'not revoked') as says from studio.sdk_key`,
    told: `select (${keyId})::text as key,
      case e.type when 'studio.sdk_key.revoked' then 'revoked ' || (${instantOf('revoked_at')}) else 'not revoked' end as says ${rowOfKey}`,
  },
  {
    what: 'form',
    types: ['studio.form.created'],
    held: `select tenant_id, form_id::text as key, concat_ws(' ', site_id, created_at) as says from studio.form`,
    told: `select e.payload ->> 'form_id' as key, concat_ws(' ', e.payload ->> 'site_id', ${instantOf('created_at')}) as says ${rowOfForm}`,
  },
  {
    what: 'draft of form',
    types: ['studio.form.created', 'studio.form.updated'],
    held: `select tenant_id, form_id::text as key, concat_ws(' ', 'revision', revision, updated_at) as says from studio.form`,
    told: `select e.payload ->> 'form_id' as key,
      concat_ws(' ', 'revision', coalesce(e.payload ->> 'revision', '1'), ${instantOf('updated_at')}) as says ${rowOfForm}`,
  },
  {
    what: 'newest version of form',
    types: ['studio.form.created', 'studio.form.published'],
    held: `select tenant_id, form_id::text as key, latest_version::text as says from studio.form`,
    told: `select e.payload ->> 'form_id' as key, coalesce(e.payload ->> 'version', '0') as says`,
  },
  {
    what: 'standing of form',
    types: [
      'studio.form.created',
      'studio.form.published',
      'studio.form.activated',
      'studio.form.unpublished',
      'studio.form.archived',
      'studio.form.restored',
    ],
    held: `select tenant_id, form_id::text as key,
      concat_ws(' ', coalesce('version ' || active_version, 'not published'), 'archived ' || archived_at) as says from studio.form`,
    told: `select e.payload ->> 'form_id' as key, case
        when e.type in ('studio.form.published', 'studio.form.activated') then 'version ' || (e.payload ->> 'version')
        when e.type = 'studio.form.archived' then 'not published archived ' || (${instantOf('archived_at')})
        else 'not published' end as says ${rowOfForm}`,
  },
  {
    what: 'version of form',
    types: ['studio.form.published'],
    held: `select tenant_id, concat_ws(' ', form_id, version) as key, concat_ws(' ', site_id, 'by', published_by, published_at) as says
      from studio.form_version`,
    // A form stays with its site.
    told: `select concat_ws(' ', e.payload ->> 'form_id', e.payload ->> 'version') as key, concat_ws(' ', f.site_id, 'by',
        concat_ws(':', e.caller ->> 'principalType', e.caller ->> 'principalId'), ${instantOf('published_at')}) as says
      ${rowOf('studio.form_version', 'form_id', formId)} and r.version = (e.payload ->> 'version')::int
      left join studio.form f on f.tenant_id = e.tenant_id and f.form_id = ${formId}`,
  },
];
