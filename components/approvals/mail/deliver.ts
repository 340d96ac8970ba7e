import type { Notify } from '@steward/mail';
import { sql } from '@steward/sql';
import { actionOf, selectAction, stateOf, type Action, type ActionRow } from '../actions/action.ts';
import { reasonOf } from '../actions/present.ts';
import { ownContext } from '../actions/requester.ts';
import { approvalPage, type Ground } from '../ground.ts';
import { settleActions } from '../permissions.ts';

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
 * What fails is tried again after 5, 10, 20 … seconds, half an hour at most. Neither addresses nor contents are logged.
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
  const told = row === undefined ? undefined : letter(ground, actionOf(row));
  if (told !== undefined && address !== undefined) {
    try {
      await notify({ to: address, ...told });
      outcome = 'sent';
    } catch (error) {
      outcome = attempts >= mostAttempts ? 'given up' : 'later';
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

/**
 * What there is to tell; undefined where there is nothing any more. Nothing in it was said by the agent: whoever writes what people
 * are asked could write where they are sent.
 */
function letter(ground: Ground, action: Action): { subject: string; text: string } | undefined {
  const state = stateOf(action);
  const title = ground.commands().get(action.tool)?.tool.title ?? action.tool;
  if (state === 'withdrawn' && action.cause !== undefined) {
    return {
      subject: `No longer waits: ${title}`,
      text: [
        `“${title}” (${action.tool}) was withdrawn and waits for nobody any more. ${reasonOf(action) ?? ''}`,
        '',
        `What it was: ${approvalPage(ground.portal, action.id)}`,
        '',
      ].join('\n'),
    };
  }
  if (state !== 'pending') return undefined;
  return {
    subject: `Approval needed: ${title}`,
    text: [
      `${action.agentId === undefined ? 'Somebody' : 'An agent'} asks for approval of “${title}” (${action.tool}). Nothing happens before it is approved.`,
      '',
      `Look at it and decide: ${approvalPage(ground.portal, action.id)}`,
      `It expires at ${action.expiresAt.toISOString()}.`,
      '',
    ].join('\n'),
  };
}
