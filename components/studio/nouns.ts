import type { Noun } from '@steward/tools';

/** What ids of sites, their keys and forms name. */
export const studioNouns: readonly Noun[] = [
  { noun: 'site', table: 'studio.site', key: 'site_id', called: 't.name' },
  {
    noun: 'form',
    table: 'studio.form',
    key: 'form_id',
    called: 't.name',
    also: {
      draft: 't.draft::jsonb',
      shown_to_visitors: `select v.definition::jsonb from studio.form_version v
        where v.tenant_id = t.tenant_id and v.form_id = t.form_id and v.version = t.active_version`,
    },
  },
  {
    noun: 'key',
    table: 'studio.sdk_key',
    key: 'key_id',
    called: `t.label || ' (' || t.mode || ', ends in ' || t.last_four || ')'`,
  },
];
