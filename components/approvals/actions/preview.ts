import type { Surface, Caller } from '@steward/access';
import { Problem, type RecordedEvent } from '@steward/kernel';
import { sql, type Row, type TenantContext, type TenantTransaction } from '@steward/sql';
import { canonicalJson, digest, within, type Command, type Outcome } from '@steward/tools';
import type { Deps } from '../deps.ts';
import { proposeActions } from '../permissions.ts';
import { findAgain, findAll, type Fact, type Found } from '../shown/facts.ts';
import type { Binding } from '../shown/binding.ts';
import { type Begun, madeSince, type IsMade } from '../shown/made.ts';
import { codesIn, idsIn, noting } from '../shown/named.ts';
import { countErasures } from './erasures.ts';

/** What people are shown, and the part of it that their decision binds. */
export interface Shown {
  readonly outcome: Outcome;
  readonly summary: string;
  /** JSON. */
  readonly preview: string;
  /** The things it is about, as they are and as they would be. */
  readonly facts: readonly Fact[];
  readonly effectDigest: string;
  /** Canonical JSON: a digest of each thing's bound facts. */
  readonly versions: string;
  /** Who would get money, with all that makes them who they are. */
  readonly identityOf: (id: string) => string;
}

/** What may be stored, unless somebody was erased since. */
export interface Rehearsed extends Shown {
  /** How many erasures there had been before it began. */
  readonly erasures: number;
}

/** Everything that a decision binds, in one digest. */
export const previewHashOf = (bound: {
  readonly tool: string;
  readonly arguments: string;
  readonly effectDigest: string;
  readonly versions: string;
  readonly policyVersion: string;
  readonly needed: number;
}): string =>
  digest(
    canonicalJson([
      'preview/v1',
      bound.tool,
      bound.arguments,
      bound.effectDigest,
      bound.versions,
      bound.policyVersion,
      bound.needed,
    ]),
  );

export const isSameEffect = (
  a: Pick<Shown, 'effectDigest' | 'versions'>,
  b: Pick<Shown, 'effectDigest' | 'versions'>,
): boolean => a.effectDigest === b.effectDigest && a.versions === b.versions;

const never = new AbortController().signal;

/**
 * Runs the tool inside an open transaction.
 * @param look reads what it has come to, in one round trip with what it takes
 * @throws TypeError when it asks back: nobody would be there to answer later
 */
async function runIn<T>(
  { taken }: Pick<Deps, 'taken'>,
  tx: TenantTransaction,
  context: TenantContext,
  { command, caller, args, preview }: Called & { readonly preview: boolean },
  look: (outcome: Outcome) => Promise<T>,
): Promise<{ readonly outcome: Outcome; readonly seen: T }> {
  const surface: Surface = command.tool.surfaces.includes('public') ? 'public' : 'internal';
  const recorded: RecordedEvent[] = [];
  const returned = await command.run(
    {
      caller,
      surface,
      requestId: context.requestId,
      context: within(context, tx, preview, (event) => recorded.push(event)),
      boundTenant: context.tenant,
      preview,
      signal: never,
      capabilities: new Set(),
      answers: {},
      remembered: undefined,
    },
    args,
  );
  if ('ask' in returned) throw new TypeError(`${command.tool.name} awaits approval, so it cannot ask back`);
  const { taken: _said, ...outcome } = returned;
  const [found, seen] = await Promise.all([taken(tx, recorded), look(outcome)]);
  return { outcome: found === undefined ? outcome : { ...outcome, taken: found }, seen };
}

interface Called {
  readonly command: Command;
  readonly caller: Caller;
  readonly args: unknown;
}

/** A rehearsal that has been undone. */
export interface Tried {
  readonly shown: Shown;
  /**
   * Carries it out in earnest, later in the same transaction.
   * @returns undefined where it did not come to the same: rows may have changed in between
   */
  carryOut(tx: TenantTransaction, caller: Caller): Promise<Outcome | undefined>;
}

const askClock = sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;

/** From when on ids and times are of what is done from here on. */
function begunAt(clock: Row | undefined): Begun {
  const [own, theirs] = [Date.now(), Math.floor(Number(clock?.['now']))];
  return { since: Math.min(own, theirs), ahead: Math.max(0, theirs - own) };
}

/**
 * Carries the tool out in full inside an open transaction and goes back to where it was. The rows of all that arguments and
 * preview name, that the tool reads by id, and that these name in turn, are read on both sides of that.
 */
export async function tryIn(
  deps: Pick<Deps, 'binding' | 'taken'>,
  tx: TenantTransaction,
  context: TenantContext,
  { command, caller, args }: Called,
): Promise<Tried> {
  const { binding } = deps;
  const { name } = command.tool;
  const noted = new Set<string>();
  const codes = codesIn(args);
  const [, [clock] = []] = await tx.queryAll([sql`savepoint rehearsal`, askClock]);
  const begun = begunAt(clock);
  const called = { command, caller, args, preview: true };
  const ids = new Set(idsIn(args));
  const { outcome, seen: after } = await runIn(deps, noting(tx, noted), context, called, async (did) => {
    for (const id of [...noted, ...idsIn(previewOf(did))]) ids.add(id);
    return findAll(binding.read, tx, ids, codes, name);
  });
  tx.later(sql`rollback to savepoint rehearsal`);
  for (const id of idsIn([...after.things.values()].map((thing) => thing.id))) ids.add(id);
  const before = await findAll(binding.read, tx, ids, codes, name);
  const isMade = madeSince(begun, args, before, after);
  return {
    shown: shownOf(binding, name, { outcome, before, after, isMade }),
    carryOut: async (own, by) => {
      const again = async (): Promise<Found> => findAgain(binding.read, tx, before);
      const { outcome: done, seen } = await runIn(deps, own, context, { ...called, caller: by, preview: false }, again);
      const same = binding.sameAnswer(name, outcome, done, isMade) && binding.sameThings(before, after, seen, isMade);
      return same ? done : undefined;
    },
  };
}

/** The things that a command may be about, as they are before it is carried out. */
export interface Before {
  readonly found: Found;
  /** When it was looked. */
  readonly begun: Begun;
}

/** @param about ids besides those that arguments name */
export async function lookBefore(
  { binding }: Pick<Deps, 'binding'>,
  tx: TenantTransaction,
  { command, args }: Pick<Called, 'command' | 'args'>,
  about: ReadonlySet<string>,
): Promise<Before> {
  const ids = new Set([...idsIn(args), ...about]);
  const [[clock], found] = await Promise.all([
    tx.query(askClock),
    findAll(binding.read, tx, ids, codesIn(args), command.tool.name),
  ]);
  return { found, begun: begunAt(clock) };
}

/**
 * Carries the tool out in earnest, once, inside an open transaction.
 * @param tx the transaction as the tool is given it
 * @param beside asks for what travels with the look at what it came to
 * @returns what it came to as people are shown it; or only the ids that it was about, where things are among them that may have been there and
 *   were not looked at before
 */
export async function doIn<T>(
  { binding, taken }: Pick<Deps, 'binding' | 'taken'>,
  tx: TenantTransaction,
  { command, caller, args }: Called,
  { found: before, begun }: Before,
  beside: () => Promise<T>,
): Promise<{ readonly shown: Shown; readonly besides: T } | { readonly about: ReadonlySet<string> }> {
  const noted = new Set<string>();
  const called = { command, caller, args, preview: false };
  const look = async (): Promise<[Found, T]> => Promise.all([findAgain(binding.read, tx, before), beside()]);
  const { outcome, seen } = await runIn({ taken }, noting(tx, noted), tx.context, called, look);
  const [after, besides] = seen;
  const isMade = madeSince(begun, args, before);
  const about = new Set([...noted, ...idsIn(previewOf(outcome)), ...idsIn([...after.things.values()])]);
  if ([...about].some((id) => !before.asked.has(id) && !isMade(id))) return { about };
  return { shown: shownOf(binding, command.tool.name, { outcome, before, after, isMade }), besides };
}

function shownOf(
  binding: Binding,
  name: string,
  {
    outcome,
    before,
    after,
    isMade,
  }: { readonly outcome: Outcome; readonly before: Found; readonly after: Found; readonly isMade: IsMade },
): Shown {
  const preview = previewOf(outcome);
  const facts = binding.facts(before, after, isMade);
  return {
    outcome,
    summary: outcome.summary,
    preview: JSON.stringify(binding.shownPreview(name, preview, isMade)),
    facts,
    effectDigest: digest(canonicalJson(binding.boundPreview(name, preview, isMade))),
    versions: canonicalJson(binding.versions(facts)),
    identityOf: (id) => binding.identity(facts, id) ?? id,
  };
}

const previewOf = ({ preview, data }: Outcome): unknown => preview ?? data ?? null;

class Undone<T> extends Error {
  readonly came: T;
  constructor(came: T) {
    super('undone');
    this.came = came;
  }
}

/** Work in a transaction that is undone. @throws what the work throws */
async function undone<T>(context: TenantContext, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  try {
    return await context.require(proposeActions).write<never>(async (tx) => {
      throw new Undone(await work(tx));
    });
  } catch (error) {
    if (error instanceof Undone) return error.came as T;
    throw error;
  }
}

/** Carries the tool out in full and undoes it: what it would do at this moment. @throws what the tool throws */
export async function rehearse(
  deps: Pick<Deps, 'binding' | 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
): Promise<Rehearsed> {
  return undone(context, async (tx) => {
    const [erasures, { shown }] = await Promise.all([
      countErasures(tx),
      tryIn(deps, tx, context, { command, caller, args }),
    ]);
    return { ...shown, erasures };
  });
}

/** Whether the tool, once it is carried out, would do the same again: it would neither refuse nor find all so already. */
export async function canBeDoneTwice(
  deps: Pick<Deps, 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
): Promise<boolean> {
  const called = { command, caller, args, preview: true };
  try {
    return await undone(context, async (tx) => {
      await runIn(deps, tx, context, called, async () => undefined);
      const { outcome } = await runIn(deps, tx, context, called, async () => undefined);
      return outcome.unchanged !== true;
    });
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

/**
 * As `rehearse`, and once more: a preview that never comes out the same could never be approved.
 * @throws TypeError naming the tool when its effect is different each time
 */
export async function rehearseTwice(
  deps: Pick<Deps, 'binding' | 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
): Promise<Rehearsed> {
  let before = await rehearse(deps, context, caller, command, args);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const shown = await rehearse(deps, context, caller, command, args);
    if (isSameEffect(before, shown)) return shown;
    before = shown;
  }
  throw new TypeError(
    `${command.tool.name}: each preview is another. Leave chance out of it, and name what other work moves in the list of what is not bound`,
  );
}
