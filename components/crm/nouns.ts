import type { Noun } from '@steward/tools';

/** What ids of contacts name. */
export const crmNouns: readonly Noun[] = [
  {
    noun: 'contact',
    table: 'crm.contact',
    key: 'contact_id',
    called: 'coalesce(t.name, t.email, t.phone)',
  },
];
