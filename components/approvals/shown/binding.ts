import { canonicalJson, digest, type Noun, type Outcome, type Unbound } from '@steward/tools';
import { factsOf, keyOf, type Fact, type Found } from './facts.ts';
import { withoutMade, type IsMade } from './made.ts';
import { thingReader, type ReadThings, type Thing } from './rows.ts';

/** In place of what is given to a thing only when the command is carried out. */
export const given = 'set when it is executed';

/** What people are shown of a command, and what of it their decision binds. */
export interface Binding {
  readonly read: ReadThings;
  /** The preview without what is not fixed yet. */
  shownPreview(tool: string, preview: unknown, isMade: IsMade): unknown;
  boundPreview(tool: string, preview: unknown, isMade: IsMade): unknown;
  facts(before: Found, after: Found, isMade: IsMade): Fact[];
  /** A digest of each thing's bound facts. */
  versions(facts: readonly Fact[]): Readonly<Record<string, string>>;
  boundFact(fact: Fact): Fact;
  /** Whether the tool's answer in its execution equals its answer in the rehearsal. */
  sameAnswer(tool: string, tried: Outcome, done: Outcome, isMade: IsMade): boolean;
  /** Whether the things that there were before have come to what they came to in the rehearsal. */
  sameThings(before: Found, tried: Found, done: Found, isMade: IsMade): boolean;
  /** Of somebody whom money goes to, all that makes them who they are; undefined where the id names nothing that is shown. */
  identity(facts: readonly Fact[], id: string): string | undefined;
}

export function createBinding(nouns: readonly Noun[], unbound: readonly Unbound[]): Binding {
  const byNoun = new Map(nouns.map((noun) => [noun.noun, noun]));
  const preview = (how: readonly Unbound['how'][]): readonly string[][] =>
    unbound.filter((one) => one.at.includes('/') && how.includes(one.how)).map(({ at }) => at.split('/'));
  const notBound = preview(['as_of', 'given', 'hidden']);
  const notShown = preview(['given', 'hidden']);
  const inRows = (how: Unbound['how']): ReadonlySet<string> =>
    new Set(unbound.filter((one) => one.how === how && !one.at.includes('/')).map(({ at }) => at));
  const [asOf, later] = [inRows('as_of'), inRows('given')];

  /** Whether a list names a fact, or one of a part of its thing. */
  const names = (places: ReadonlySet<string>, noun: string, fact: string, inner?: string): boolean => {
    const { table = '', parts = {} } = byNoun.get(noun) ?? {};
    const of = inner === undefined ? table : parts[fact]?.table;
    const name = inner ?? fact;
    return (
      places.has(`*.${name}`) ||
      places.has(`${of}.${name}`) ||
      (inner !== undefined && places.has(`${table}.${fact}.${inner}`))
    );
  };
  const mapFacts = (
    noun: string,
    facts: Fact['before'],
    change: (value: unknown, fact: string, inner?: string) => unknown,
  ): Fact['before'] => {
    const parts = byNoun.get(noun)?.parts ?? {};
    const each = (name: string, value: unknown): unknown =>
      Object.hasOwn(parts, name) && Array.isArray(value)
        ? (value as Record<string, unknown>[]).map((row) =>
            Object.fromEntries(Object.entries(row).map(([inner, one]) => [inner, change(one, name, inner)])),
          )
        : change(value, name);
    return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, each(name, value)]));
  };
  const boundFact = ({ after, before, ...thing }: Fact): Fact => {
    const bind = (facts: Fact['before']): Fact['before'] =>
      mapFacts(thing.noun, facts, (value, fact, inner) => (names(asOf, thing.noun, fact, inner) ? undefined : value));
    const then = after === undefined || after === null ? after : bind(after);
    const stays = then === undefined || (then !== null && Object.values(then).every((one) => one === undefined));
    return { ...thing, before: bind(before), ...(stays ? {} : { after: then }) };
  };
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;
  return {
    read: thingReader(nouns, unbound),
    shownPreview: (tool, value, isMade) => withoutNew(pruned(plain(value), notShown, [tool]), isMade) ?? null,
    boundPreview: (tool, value, isMade) => withoutMade(pruned(plain(value), notBound, [tool]) ?? null, isMade),
    facts: (before, after, isMade) =>
      factsOf(before, after).map((fact) =>
        fact.after === undefined || fact.after === null
          ? fact
          : {
              ...fact,
              after: mapFacts(fact.noun, fact.after, (value, name, inner) =>
                names(later, fact.noun, name, inner) ? given : withGiven(value, isMade),
              ),
            },
      ),
    versions: (facts) =>
      Object.fromEntries(facts.map((fact) => [keyOf(fact), digest(canonicalJson(plain(boundFact(fact))))])),
    boundFact,
    sameAnswer: (tool, tried, done, isMade) => {
      // People who decide do not see data beside a preview, and it contains numbers that others may have taken since.
      const part = tried.preview !== undefined && done.preview !== undefined ? 'preview' : 'data';
      const bound = (of: Outcome): unknown => pruned(plain(of[part]), notBound, [tool]);
      return tried[part] === undefined || done[part] === undefined || agrees(bound(tried), bound(done), isMade);
    },
    sameThings: (before, tried, done, isMade) =>
      [...before.things.keys()].every((key) => {
        const [then, now] = [tried.things.get(key), done.things.get(key)];
        if (then === undefined || now === undefined) return then === now || then === undefined;
        const bind = ({ noun, facts }: Thing): unknown =>
          plain(
            mapFacts(noun, facts, (value, fact, inner) =>
              names(asOf, noun, fact, inner) || names(later, noun, fact, inner) ? undefined : value,
            ),
          );
        return agrees(bind(then), bind(now), isMade);
      }),
    identity: (facts, id) => {
      const fact = facts.find((one) => one.id === id);
      if (fact === undefined) return undefined;
      const { before } = boundFact(fact);
      const aside = byNoun.get(fact.noun)?.incidental ?? [];
      return canonicalJson(plain(Object.fromEntries(Object.entries(before).filter(([name]) => !aside.includes(name)))));
    },
  };
}

/** Whether two JSON values are the same but where the first holds what was made in the rehearsal. */
function agrees(tried: unknown, done: unknown, isMade: IsMade): boolean {
  if (typeof tried === 'string' && isMade(tried)) return typeof done === 'string';
  if (typeof tried !== 'object' || tried === null || typeof done !== 'object' || done === null) return tried === done;
  const [a, b] = [tried as Record<string, unknown>, done as Record<string, unknown>];
  return (
    Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => agrees(a[name], b[name], isMade))
  );
}

/** JSON without the places of a list; undefined where nothing is left. */
function pruned(value: unknown, places: readonly string[][], path: readonly string[]): unknown {
  if (
    places.some((place) => place.length === path.length && place.every((step, at) => step === '*' || step === path[at]))
  )
    return undefined;
  if (Array.isArray(value)) return value.map((one, at) => pruned(one, places, [...path, String(at)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const left = pruned(one, places, [...path, name]);
      return left === undefined ? [] : [[name, left]];
    }),
  );
}

/** JSON without members that hold what was made in the rehearsal: nothing of that name will be there. */
function withoutNew(value: unknown, isMade: IsMade): unknown {
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'string' && isMade(one) ? given : withoutNew(one, isMade)));
  if (typeof value === 'string') return isMade(value) ? given : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      typeof one === 'string' && isMade(one) ? [] : [[name, withoutNew(one, isMade)]],
    ),
  );
}

function withGiven(value: unknown, isMade: IsMade): unknown {
  if (typeof value === 'string') return isMade(value) ? given : value;
  if (Array.isArray(value)) return value.map((one) => withGiven(one, isMade));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withGiven(one, isMade)]));
}
