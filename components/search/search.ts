import {
  callerOf,
  type Finder,
  judgedBy,
  mayRead,
  operation,
  permit,
  roles,
  type ReadAccessProfile,
} from '@steward/access';
import { line, moneyShape } from '@steward/contract';
import { fail, money } from '@steward/kernel';
import type { Row, TenantContext } from '@steward/sql';
import { z } from 'zod';
import { soughtBy } from './sought.ts';

export interface SearchPorts {
  readonly finders: readonly Finder[];
  readonly accessProfile: ReadAccessProfile;
}

/** Characters of what is told of a record: who wants all of it reads it. */
const longestTold = 200;

/** How many records of one kind are answered, and of all. */
const mostOfKind = 5;
const mostFound = 30;

const ranks = ['exact', 'begins', 'has'] as const;
const found = z.object({
  kind: z.string().meta({ description: 'What it is, such as order.' }),
  id: z.string(),
  title: z.string(),
  line: z.string().nullable().meta({ description: 'What tells it from others of that title.' }),
  amount: moneyShape.nullable(),
  day: z.string().nullable().meta({ description: 'YYYY-MM-DD.' }),
  within: z.string().nullable().meta({ description: 'The record that it is read in: the account of a bank line.' }),
  rank: z.enum(ranks).meta({
    description: 'exact: what was typed names it; begins: its title or line begins so; has: it has that somewhere.',
  }),
});
type Found = z.output<typeof found>;

/**
 * Records of every kind that the caller may list, by number, name, address, SKU, amount or words: the nearest first, at most 5 of a kind and 30 in
 * all. One round trip, whatever kinds there are.
 */
export const searchRecords = operation(
  {
    name: '',
    pillar: 'portal',
    kind: 'query',
    tier: 'read',
    surfaces: ['public'],
    personas: [],
    requires: permit('records.search', roles, 'read'),
    input: z.strictObject({
      query: line(200).meta({
        description: 'What is looked for: a number, a name, an e-mail address, a SKU, an amount.',
      }),
    }),
    answer: z.object({ items: z.array(found) }),
  },
  async ({ context, readAll }, { query }, { finders, accessProfile }: SearchPorts) => {
    const sought = soughtBy(query, context.tenant, mostOfKind);
    for (;;) {
      const admitted = await admittedTo(finders, context, accessProfile);
      const under = context.decision?.under;
      const asked = admitted.flatMap(({ kind, statements }) =>
        sought.text === '' ? [] : statements(sought).map((one) => [kind, one] as const),
      );
      const rows = await readAll(asked.map(([, one]) => one));
      // Where access changed meanwhile, what may be found did too.
      if (context.decision?.under === under)
        return {
          items: ranked(
            asked.map(([kind]) => kind),
            rows,
            sought.text,
          ),
        };
    }
  },
);

/** @throws Problem `tenant_forbidden` (403) for who may find nothing at all */
async function admittedTo(
  finders: readonly Finder[],
  context: TenantContext,
  accessProfile: ReadAccessProfile,
): Promise<readonly Finder[]> {
  const caller = callerOf(context);
  if (caller === undefined) return [];
  const held = await accessProfile(caller, context.tenant);
  judgedBy(context, held);
  // Who is no member is refused by the database.
  if (held === undefined) return [];
  const admitted = finders.filter(({ lists }) => mayRead(lists, caller, held));
  if (admitted.length === 0)
    throw fail('tenant_forbidden', 'Nothing here is yours to find: an owner can grant this agent or client something.');
  return admitted;
}

function ranked(kinds: readonly string[], rows: readonly Row[][], text: string): Found[] {
  const seen = new Set<string>();
  const all = rows.flatMap((of, at) => of.map((row) => presented(kinds[at] ?? '', row, text)));
  const each = all.filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`));
  const counts = new Map<string, number>();
  return each
    .toSorted((a, b) => ranks.indexOf(a.rank) - ranks.indexOf(b.rank))
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= mostOfKind;
    })
    .slice(0, mostFound);
}

function presented(kind: string, row: Row, text: string): Found {
  const said = (name: string): string | null => {
    const value = row[name];
    return value === null || value === undefined || value === ''
      ? null
      : Array.from(String(value).slice(0, 2 * longestTold))
          .slice(0, longestTold)
          .join('')
          .toWellFormed();
  };
  const [title, own, minor, currency] = [said('title') ?? '', said('line'), said('minor'), said('currency')];
  const told = [title, ...(own === null ? [] : own.split(' · '))].map((one) => one.toLowerCase());
  const exact = row['exact'] === true || told.includes(text);
  return {
    kind,
    id: said('id') ?? '',
    title,
    line: own,
    amount: minor === null || currency === null ? null : money(BigInt(minor), currency),
    day: said('day'),
    within: said('within'),
    rank: exact ? 'exact' : told.some((one) => one.startsWith(text)) ? 'begins' : 'has',
  };
}
