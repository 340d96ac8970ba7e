import { isPattern, patternSource } from './pattern.ts';
import type { EventGrammar, Grammar } from './grammar.ts';
import { reservation } from './reserved.ts';
import { makeRule, type Rule } from './schema.ts';

/** One schema and the events it holds for. */
export interface Entry {
  readonly types: string;
  readonly major: number;
  readonly reserved: boolean;
  readonly rule: Rule;
}

export interface RegisteredGrammar {
  readonly name: string;
  readonly base: Rule;
  readonly entries: readonly Entry[];
  readonly reserved: readonly string[];
}

export interface Registry {
  readonly grammars: readonly RegisteredGrammar[];
  /** The schema for an event: its own, else its grammar's base; undefined where no such grammar is registered. */
  resolve(grammar: string, type: string, eventVersion: string): Rule | undefined;
  /** Whether only our own verbs may record the type, in whatever spelling it comes. */
  isReserved(type: string): boolean;
  /** Whether no payload of the schema with this digest can have sealed values; false if the schema is not known. */
  sealsNothing(digest: string): boolean;
}

/** @throws Error at start for an unsound mark of personal data, or two schemas for one type and major version; an unsound schema is
 * found by its first check */
export function createRegistry(contributions: readonly Grammar[]): Registry {
  const merged = Map.groupBy(contributions, ({ name }) => name);
  const grammars = [...merged].map(([name, parts]) => register(name, parts));
  const lookups = new Map(grammars.map((grammar) => [grammar.name, lookup(grammar)]));
  const unmarked = new Set(
    grammars
      .flatMap(({ base, entries }) => [base, ...entries.map(({ rule }) => rule)])
      .filter(({ personal }) => personal.length === 0)
      .map(({ digest }) => digest),
  );
  return {
    grammars,
    resolve: (grammar, type, eventVersion) => lookups.get(grammar)?.(type, Number.parseInt(eventVersion, 10)),
    isReserved: reservation(grammars.flatMap(({ reserved }) => reserved)),
    sealsNothing: (digest) => unmarked.has(digest),
  };
}

function register(name: string, parts: readonly Grammar[]): RegisteredGrammar {
  const events = parts.flatMap((part) => part.events ?? []);
  const seen = new Set<string>();
  for (const { types, major } of events) {
    const key = `${major} ${types}`;
    if (seen.has(key)) throw new Error(`grammar ${name} has two schemas for ${types} ${major}.x`);
    seen.add(key);
  }
  return {
    name,
    base: makeRule({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: `Any event of the grammar ${name}`,
      type: 'object',
    }),
    entries: events.map((event) => ({
      types: event.types,
      major: event.major,
      reserved: isOurs(event),
      rule: makeRule(event.schema),
    })),
    reserved: [...parts.flatMap((part) => part.reserved ?? []), ...events.filter(isOurs).map(({ types }) => types)],
  };
}

const isOurs = (event: EventGrammar): boolean => event.open !== true;

/** A type of its own first, then patterns, the longest first, then the base. */
function lookup({ base, entries }: RegisteredGrammar): (type: string, major: number) => Rule {
  const exact = new Map(
    entries.filter(({ types }) => !isPattern(types)).map(({ types, major, rule }) => [`${major} ${types}`, rule]),
  );
  const patterns = entries
    .filter(({ types }) => isPattern(types))
    .toSorted((a, b) => b.types.length - a.types.length)
    .map(({ types, major, rule }) => ({ form: new RegExp(`^(?:${patternSource(types)})$`), major, rule }));
  return (type, major) =>
    exact.get(`${major} ${type}`) ??
    patterns.find((pattern) => pattern.major === major && pattern.form.test(type))?.rule ??
    base;
}
