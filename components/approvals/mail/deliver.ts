import { judge, type Notify } from '@steward/mail';
import { sql } from '@steward/sql';
import { actionOf, selectAction, type ActionRow } from '../actions/action.ts';
import { ownContext } from '../actions/requester.ts';
import type { Ground } from '../ground.ts';
import { settleActions } from '../permissions.ts';
import { approvalLetter } from './letter.ts';

interface Due extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly action_id: string;
  readonly recipient_id: string;
  readonly attempts: number;
}

/** Then a message is given up: about three hours after the first attempt. */
const mostAttempts = 12;

/**
 * Sends the mail that is due, once each unless a process dies between sending and noting it; answers how much was due.
 * What fails is tried again after 5, 10, 20 … seconds, half an hour at most; what a mail server refuses for good is not. Neither addresses nor contents are logged.
 */
export async function deliver(ground: Ground, notify: Notify): Promise<number> {
  const due = await ground.tenancy.pool.query<Due>(
    sql`select tenant_id, action_id, recipient_id, attempts from approvals.claim_notices(interval '2 minutes', 20)`,
  );
  await Promise.all(due.map(async (one) => deliverOne(ground, notify, one)));
  return due.length;
}

async function deliverOne(ground: Ground, notify: Notify, due: Due): Promise<void> {
  const { tenant_id: tenant, action_id: id, recipient_id: recipient, attempts } = due;
  const scope = ownContext(ground, tenant, { correlationId: id, lastEventId: id }, `approvals-${id}`).require(
    settleActions,
  );
  const [row] = await scope.read<ActionRow>(selectAction(tenant, id));
  const address = (await ground.identity.people.named([recipient])).get(recipient)?.email;
  let outcome: 'sent' | 'given up' | 'later' = 'given up';
  const told = row === undefined ? undefined : approvalLetter(ground, actionOf(row));
  if (told !== undefined && address !== undefined) {
    try {
      await notify({ to: address, ...told });
      outcome = 'sent';
    } catch (error) {
      const forGood = ['address', 'letter'].includes(judge(error).about);
      outcome = forGood || attempts >= mostAttempts ? 'given up' : 'later';
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      ground.log.warn({ action: id, attempts, code, outcome }, 'a notification was not sent');
    }
  }
  const wait = Math.min(5 * 2 ** (attempts - 1), 1800);
  await scope.write(async (tx) => {
    await tx.query(sql`
      update approvals.notice set
        sent_at = case when ${outcome} = 'sent' then clock_timestamp() end,
        given_up_at = case when ${outcome} = 'given up' then clock_timestamp() end,
        next_at = clock_timestamp() + make_interval(secs => ${wait})
      where tenant_id = ${tenant} and action_id = ${id} and recipient_id = ${recipient}`);
  });
}
