import type { Caller } from '@steward/access';
import { clientOf } from '@steward/identity';
import { newId, type RecordedEvent } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { Deps } from '../deps.ts';
import { tell } from '../events.ts';
import { proposeActions } from '../permissions.ts';
import { rulesAbout } from '../rules/match.ts';
import { resultOf, type Action } from './action.ts';
import { countErasures } from './erasures.ts';
import { executed } from './execute.ts';
import { doIn, lookBefore, type Rehearsed } from './preview.ts';
import { commandOf } from './ready.ts';
import { callerOf } from './requester.ts';
import { hold, store, storedIds, type Asked, type StoredIds } from './store.ts';

/** It takes the long way, which says why. */
class NotAtOnce extends Error {}

/** Things turned out to be among what it is about that were not read before they were changed. */
class AboutMore extends Error {
  readonly about: ReadonlySet<string>;
  constructor(about: ReadonlySet<string>) {
    super('about more than was read');
    this.about = about;
  }
}

type AskedAtOnce = Omit<Asked, 'shown' | 'nonce' | 'done'>;

/**
 * Executes an action that a standing rule covers, in one transaction and one run. Nobody sees it before, so the rule is compared with the real
 * effect instead of a rehearsal. The transaction stores the action, its decision and its execution beside the effect, or nothing. The effect comes
 * before the locks of deciding, as at every other door.
 * @returns the executed action; undefined, and nothing done, if no rule covers the effect, the caller may not, or the tenant
 *   has decided otherwise since
 * @throws what the tool throws
 */
export async function carryOutAtOnce(
  deps: Deps,
  context: TenantContext,
  asked: AskedAtOnce,
): Promise<Action | undefined> {
  const { tool } = asked.proposal;
  const agentId = context.caller.type === 'agent' ? context.caller.id : undefined;
  const { chain, subject } = context;
  const whose = {
    tool: tool.name,
    requestedBy: chain,
    subject,
    agentId: agentId ?? null,
    clientId: clientOf(context) ?? agentId ?? null,
  };
  // Nothing is looked up inside the transaction, because that may take a connection while this call has one, and so many calls would wait for
  // each other: entering the tenant compares whether it is still true.
  const now = await commandOf(deps, context, whose).catch(() => undefined);
  if (now?.toolPolicy !== asked.policyVersion) return undefined;
  let about: ReadonlySet<string> = new Set();
  // The second time it has read everything that the first run concerned, unless each run makes things with random ids.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const done = storedIds();
    const acting = deps.tenancy.context({ ...context, action: done.id });
    try {
      return await acting
        .require(proposeActions)
        .write(async (tx) => inOne(deps, tx, { ...asked, done, caller: callerOf(whose), agentId, about }));
    } catch (error) {
      if (error instanceof NotAtOnce) return undefined;
      if (!(error instanceof AboutMore)) throw error;
      about = error.about;
    }
  }
  return undefined;
}

interface AtOnce extends AskedAtOnce {
  readonly done: StoredIds;
  readonly caller: Caller;
  readonly agentId: string | undefined;
  readonly about: ReadonlySet<string>;
}

async function inOne(deps: Deps, tx: TenantTransaction, asked: AtOnce): Promise<Action> {
  const { proposal, command, caller, done, agentId, about } = asked;
  const { tool } = command;
  const { args } = proposal;
  const [erasures, rules, before] = await Promise.all([
    countErasures(tx),
    rulesAbout(tx, { tool, agentId }),
    lookBefore(deps, tx, { command, args }, about),
  ]);
  if (rules.length === 0) throw new NotAtOnce();
  const held: RecordedEvent[] = [];
  const effect = effectOf(tx, done.approved, held);
  const ran = await doIn(deps, effect, { command, caller, args }, before, async () =>
    hold(deps, tx, { tool, agentId, erasures, likely: true }),
  );
  if ('about' in ran) throw new AboutMore(ran.about);
  if (ran.shown.outcome.unchanged === true) throw new NotAtOnce();
  const shown: Rehearsed = { ...ran.shown, erasures };
  const { action, fresh } = await store(deps, tx, { ...asked, shown, nonce: undefined }, ran.besides);
  if (!fresh || action.state !== 'executed') throw new NotAtOnce();
  for (const event of held) tx.record(event);
  tell(tx, action, executed({ ...action, lastEventId: done.approved }, done.executed, [], resultOf(shown.outcome)));
  return action;
}

/** The rule's decision causes what the tool does, and comes before it in the log. */
const effectOf = (tx: TenantTransaction, causalId: string, held: RecordedEvent[]): TenantTransaction => ({
  ...tx,
  record: (event) => {
    const id = event.id ?? newId();
    held.push({ causalId, ...event, id });
    return id;
  },
  publish: (event) => tx.publish({ causationId: causalId, ...event }),
});
