import type { RecordedEvent } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import { canonicalJson, digest, within, type Command, type Outcome, type Surface } from '@steward/tools';
import type { Caller } from '@steward/identity';
import type { Ground } from '../ground.ts';
import { proposeActions } from '../permissions.ts';
import { countErasures } from './erasures.ts';
import { withoutMade } from './made.ts';

/** What people are shown, and the part of it that their decision binds. */
export interface Shown {
  readonly outcome: Outcome;
  readonly summary: string;
  /** JSON. */
  readonly preview: string;
  readonly effectDigest: string;
  /** Canonical JSON. */
  readonly versions: string;
}

/** What may be stored, unless somebody was erased since. */
export interface Rehearsed extends Shown {
  /** How often somebody had been erased before it began. */
  readonly erasures: number;
}

/** @param since when the tool was begun, in milliseconds: ids and times that it made bind nothing */
export const shownOf = (outcome: Outcome, since: number): Shown => {
  const preview = plain(outcome.preview ?? outcome.data ?? null);
  return {
    outcome,
    summary: outcome.summary,
    preview: JSON.stringify(preview),
    effectDigest: digest(
      canonicalJson(outcome.effect === undefined ? withoutMade(preview, since) : plain(outcome.effect)),
    ),
    versions: canonicalJson(plain(outcome.versions ?? {})),
  };
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

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

/** Runs the tool inside an open transaction. @throws TypeError when it asks back: nobody would be there to answer later */
export async function runIn(
  { taken }: Pick<Ground, 'taken'>,
  tx: TenantTransaction,
  context: TenantContext,
  { command, caller, args, preview }: { command: Command; caller: Caller; args: unknown; preview: boolean },
): Promise<Outcome> {
  const surface: Surface = command.tool.surfaces.includes('public') ? 'public' : 'internal';
  const recorded: RecordedEvent[] = [];
  const returned = await command.tool.run(
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
  const found = await taken(tx, recorded);
  return found === undefined ? outcome : { ...outcome, taken: found };
}

class Undone extends Error {
  readonly outcome: Outcome;
  readonly erasures: number;
  constructor(outcome: Outcome, erasures: number) {
    super('undone');
    this.outcome = outcome;
    this.erasures = erasures;
  }
}

/** Carries the tool out in full and undoes it: what it would do at this moment. @throws what the tool throws */
export async function rehearse(
  ground: Pick<Ground, 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
): Promise<Rehearsed> {
  const since = Date.now();
  try {
    return await context.require(proposeActions).write<never>(async (tx) => {
      const erasures = await countErasures(tx);
      throw new Undone(await runIn(ground, tx, context, { command, caller, args, preview: true }), erasures);
    });
  } catch (error) {
    if (error instanceof Undone) return { ...shownOf(error.outcome, since), erasures: error.erasures };
    throw error;
  }
}

/**
 * As `rehearse`, and once more: a preview that never comes out the same could never be approved.
 * @throws TypeError naming the tool when its effect is different each time
 */
export async function rehearseTwice(
  ground: Pick<Ground, 'taken'>,
  context: TenantContext,
  caller: Caller,
  command: Command,
  args: unknown,
): Promise<Rehearsed> {
  let before = await rehearse(ground, context, caller, command, args);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const shown = await rehearse(ground, context, caller, command, args);
    if (isSameEffect(before, shown)) return shown;
    before = shown;
  }
  throw new TypeError(
    `${command.tool.name}: each preview is another. Leave chance and balances out of its preview, or give its \`effect\``,
  );
}
