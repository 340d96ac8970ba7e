import { clientOf } from '@steward/identity';
import { newId, type RecordedEvent } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { Ground } from '../ground.ts';
import { proposeActions } from '../permissions.ts';
import { traitsOf } from '../policy/evaluate.ts';
import { rulesAbout } from '../rules/match.ts';
import type { Action } from './action.ts';
import { countErasures } from './erasures.ts';
import { markExecuted, requireStillEnough } from './execute.ts';
import { tryIn, type Rehearsed } from './preview.ts';
import { commandOf } from './ready.ts';
import { callerOf } from './requester.ts';
import { store, storedIds, type Asked } from './store.ts';

/** It takes the long way, which says why. */
class NotAtOnce extends Error {
  readonly shown: Rehearsed;
  constructor(shown: Rehearsed, cause?: unknown) {
    super('not at once', { cause });
    this.shown = shown;
  }
}

/**
 * What a standing rule covers, in one transaction: the tool is rehearsed in it, compared with the rule, run, and compared with its
 * rehearsal; the action, what decided it and that it was carried out are stored beside the effect, or nothing is. Nobody waits between, so
 * there is nothing that could have changed since it was shown. The effect comes before the locks of deciding, as it does by every other door.
 * @returns the action, carried out; or the rehearsal of one that no rule covers or that did not come out as it was rehearsed, which was undone;
 *   undefined where whoever asks may not, or the tenant has decided otherwise since
 * @throws what the tool throws in its rehearsal
 */
export async function carryOutAtOnce(
  ground: Ground,
  context: TenantContext,
  asked: Omit<Asked, 'shown' | 'nonce' | 'ids'>,
): Promise<Action | Rehearsed | undefined> {
  const { tool } = asked.proposal;
  const ids = storedIds();
  const agentId = context.caller.type === 'agent' ? context.caller.id : undefined;
  const { chain, subject } = context;
  const whose = { tool: tool.name, chain, subject, agentId, clientId: clientOf(context) ?? agentId };
  const now = await commandOf(ground, context.tenant, whose).catch(() => undefined);
  if (now?.toolPolicy !== asked.policyVersion) return undefined;
  const acting = ground.tenancy.context({ ...context, action: ids.id });
  try {
    return await acting
      .require(proposeActions)
      .write(async (tx) => inOne(ground, tx, { ...asked, ids, whose, agentId }));
  } catch (error) {
    if (error instanceof NotAtOnce) return error.shown;
    throw error;
  }
}

type AtOnce = Omit<Asked, 'shown' | 'nonce' | 'ids'> & {
  readonly ids: ReturnType<typeof storedIds>;
  readonly whose: Parameters<typeof callerOf>[0];
  readonly agentId: string | undefined;
};

async function inOne(ground: Ground, tx: TenantTransaction, asked: AtOnce): Promise<Action> {
  const { proposal, command, ids, agentId } = asked;
  const { args, caller } = proposal;
  const { tool } = command;
  const [erasures, rules, tried] = await Promise.all([
    countErasures(tx),
    rulesAbout(tx, { tool, agentId }),
    tryIn(ground, tx, tx.context, { command, caller, args }),
  ]);
  const shown: Rehearsed = { ...tried.shown, erasures };
  // Whether one does is asked for again under the lock, of those that are ours: this spares what none covers.
  const moves = traitsOf(tool, args, shown);
  if (!rules.some((one) => one.covers(moves))) throw new NotAtOnce(shown);
  try {
    const held: RecordedEvent[] = [];
    const outcome = await tried.carryOut(effectOf(tx, ids.approved, held), callerOf(asked.whose));
    if (outcome === undefined) throw new NotAtOnce(shown);
    const { action, fresh, policy, rule } = await store(ground, tx, { ...asked, shown, nonce: undefined });
    const traits = traitsOf(tool, args, { ...shown, outcome });
    if (!fresh || action.state !== 'approved' || rule?.covers(traits) !== true) throw new NotAtOnce(shown);
    for (const event of held) tx.record(event);
    await requireStillEnough(tx, policy, action, traits);
    return { ...action, state: 'executed', result: await markExecuted(tx, action, outcome) };
  } catch (error) {
    throw error instanceof NotAtOnce ? error : new NotAtOnce(shown, error);
  }
}

/** What the tool does is caused by the rule's decision, and stands behind it in the log. */
const effectOf = (tx: TenantTransaction, causalId: string, held: RecordedEvent[]): TenantTransaction => ({
  ...tx,
  record: (event) => {
    const id = event.id ?? newId();
    held.push({ causalId, ...event, id });
    return id;
  },
  publish: (event) => tx.publish({ causationId: causalId, ...event }),
});
