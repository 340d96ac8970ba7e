import type { Surface, Caller } from '@steward/access';
import type { RecordedEvent } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { canonicalJson, digest, within, type Command, type Outcome } from '@steward/tools';
import type { Ground } from '../ground.ts';
import { proposeActions } from '../permissions.ts';
import { findAgain, findAll, type Fact, type Found } from '../shown/facts.ts';
import { madeSince } from '../shown/made.ts';
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
  /** How often somebody had been erased before it began. */
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
  { taken }: Pick<Ground, 'taken'>,
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

/**
 * Carries the tool out in full inside an open transaction and goes back to where it was. The rows of all that arguments and
 * preview name, that the tool reads by id, and that these name in turn, are read on both sides of that.
 */
export async function tryIn(
  ground: Pick<Ground, 'binding' | 'taken'>,
  tx: TenantTransaction,
  context: TenantContext,
  { command, caller, args }: Called,
): Promise<Tried> {
  const { binding } = ground;
  const { name } = command.tool;
  const noted = new Set<string>();
  const codes = codesIn(args);
  const [, [clock] = []] = await tx.queryAll([
    sql`savepoint rehearsal`,
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
  ]);
  const since = Math.min(Date.now(), Math.floor(Number(clock?.['now'])));
  const called = { command, caller, args, preview: true };
  const ids = new Set(idsIn(args));
  const { outcome, seen: after } = await runIn(ground, noting(tx, noted), context, called, async (did) => {
    for (const id of [...noted, ...idsIn(previewOf(did))]) ids.add(id);
    return findAll(binding.read, tx, ids, codes);
  });
  const preview = previewOf(outcome);
  tx.later(sql`rollback to savepoint rehearsal`);
  for (const id of idsIn([...after.things.values()].map((thing) => thing.id))) ids.add(id);
  const before = await findAll(binding.read, tx, ids, codes);
  const isMade = madeSince(since, before, after);
  const facts = binding.facts(before, after, isMade);
  return {
    shown: {
      outcome,
      summary: outcome.summary,
      preview: JSON.stringify(binding.shownPreview(name, preview, isMade)),
      facts,
      effectDigest: digest(canonicalJson(binding.boundPreview(name, preview, isMade))),
      versions: canonicalJson(binding.versions(facts)),
      identityOf: (id) => binding.identity(facts, id) ?? id,
    },
    carryOut: async (own, by) => {
      const again = async (): Promise<Found> => findAgain(binding.read, tx, before);
      const { outcome: done, seen } = await runIn(
        ground,
        own,
        context,
        { ...called, caller: by, preview: false },
        again,
      );
      const same = binding.sameAnswer(name, outcome, done, isMade) && binding.sameThings(before, after, seen, isMade);
      return same ? done : undefined;
    },
  };
}

const previewOf = ({ preview, data }: Outcome): unknown => preview ?? data ?? null;

class Undone extends Error {
  readonly rehearsed: Rehearsed;
  constructor(rehearsed: Rehearsed) {
    super('undone');
    this.rehearsed = rehearsed;
  }
}

/** Carries the tool out in full and undoes it: what it would do at this moment. @throws what the tool throws */
export async function rehearse(
  ground: Pick<Ground, 'binding' | 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
): Promise<Rehearsed> {
  try {
    return await context.require(proposeActions).write<never>(async (tx) => {
      const [erasures, { shown }] = await Promise.all([
        countErasures(tx),
        tryIn(ground, tx, context, { command, caller, args }),
      ]);
      throw new Undone({ ...shown, erasures });
    });
  } catch (error) {
    if (error instanceof Undone) return error.rehearsed;
    throw error;
  }
}

/**
 * As `rehearse`, and once more: a preview that never comes out the same could never be approved.
 * @param first a rehearsal that there was already
 * @throws TypeError naming the tool when its effect is different each time
 */
export async function rehearseTwice(
  ground: Pick<Ground, 'binding' | 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
  first?: Rehearsed,
): Promise<Rehearsed> {
  let before = first ?? (await rehearse(ground, context, caller, command, args));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const shown = await rehearse(ground, context, caller, command, args);
    if (isSameEffect(before, shown)) return shown;
    before = shown;
  }
  throw new TypeError(
    `${command.tool.name}: each preview is another. Leave chance out of it, and name what other work moves in the list of what is not bound`,
  );
}
