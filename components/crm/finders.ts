import type { Finder } from '@steward/access';
import { statement } from '@steward/sql';
import { searchContacts, searchStatement, sourcesOf } from './contacts/search.ts';
import { firstSchema } from './schema/schema.ts';

/** Contacts as their own search finds them: by names, addresses and phones. */
export const finders: readonly Finder[] = [
  {
    kind: 'contact',
    lists: searchContacts,
    statements: ({ tenant, text, words, limit }) => {
      const address = /^[^\s@]+$/.test(text) ? [[{ by: 'email', value: text, prefix: true } as const]] : [];
      const query = words.length === 0 ? [] : [sourcesOf(firstSchema, { query: text })];
      return [...query, ...address].map((sources) => {
        const { text: found, values } = searchStatement(tenant, sources, {}, { limit });
        return statement(
          `select f.id, coalesce(f.name, f.email, f.phone) as title, concat_ws(' · ', f.email, f.phone) as line from (${found}) f`,
          values,
        );
      });
    },
  },
];
