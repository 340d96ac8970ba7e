import { fail, type Problem } from '@steward/kernel';
import { type Row, sql, type Statement, type TenantTransaction } from '@steward/sql';
import type { Deps } from '../deps.ts';
import { asked, type Action } from './action.ts';

/** What people are shown of an action before they decide: all that it is asked as, but for how far it has come. */
const members = (Object.keys(asked.answer.shape) as (keyof typeof asked.answer.shape)[]).filter(
  (name) => name !== 'state',
);

type Held = Pick<Deps, 'seals'>;

const wordsOf = (tenant: string, action: Action): readonly unknown[] => [
  tenant,
  Object.fromEntries(members.map((name) => [name, action[name]])),
  action.shownDigest,
];

/** What no rehearsal tells again: who asked for what, until when, and what people changed of it since. */
export const askingOf = (tenant: string, action: Action, edits: unknown): readonly unknown[] => {
  const { id, tool, askedDigest, requestedBy, subject, agentId, clientId, correlationId, requestedAt, expiresAt } =
    action;
  const who = [requestedBy, subject, agentId, clientId];
  return [tenant, id, tool, askedDigest, action.arguments, who, correlationId, requestedAt, expiresAt, edits];
};

export const selectEdits = (tenant: string, id: string): Statement =>
  sql`select edits from approvals.shown where tenant_id = ${tenant} and action_id = ${id}`;

/**
 * Seals the words of an action as its row has just been written: who decides must not read words that somebody wrote past the application.
 * @param asking whether what was asked is sealed too; only where this transaction wrote it
 */
export async function seal({ seals }: Held, tx: TenantTransaction, action: Action, asking: boolean): Promise<void> {
  const { tenant } = tx.context;
  const words = seals.of('words', wordsOf(tenant, action));
  let askedSeal = action.askedSeal;
  if (asking) {
    const [row] = await tx.query(selectEdits(tenant, action.id));
    askedSeal = seals.of('asking', askingOf(tenant, action, row?.['edits']));
  }
  tx.later(sql`
    update approvals.action set seal = ${words}, asked_seal = ${askedSeal}
    where tenant_id = ${tenant} and action_id = ${action.id}`);
}

/** Whether an action says what the application had it say. */
export const isSealed = ({ seals }: Held, tenant: string, action: Action): boolean =>
  seals.holds(action.seal, 'words', wordsOf(tenant, action));

/**
 * Whether an action was asked for as its row says: a row without a seal says what the application never had it say.
 * @param row its edits, of `selectEdits`
 */
export const isAsAsked = ({ seals }: Held, tenant: string, action: Action, row: Row | undefined): boolean =>
  seals.holds(action.askedSeal, 'asking', askingOf(tenant, action, row?.['edits']));

/** @throws Problem `conflict` (409) where somebody else wrote who asked: nobody can show that anew */
export function requireNotForged(deps: Held, tenant: string, action: Action, row: Row | undefined): void {
  if (!isAsAsked(deps, tenant, action, row)) throw notAsAsked();
}

const notAsAsked = (): Problem =>
  fail(
    'conflict',
    'Who asked for this action, for what or until when was changed outside of this server, so nobody can approve it: reject it, and have it asked for again.',
  );
