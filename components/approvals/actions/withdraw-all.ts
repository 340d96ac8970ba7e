import type { PrincipalRef } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import type { Tool } from '@steward/tools';
import { event } from '../events.ts';
import type { Deps } from '../deps.ts';
import { actionOf, columns, granteeOf, named, type Cause } from './action.ts';
import { noteErasure } from './erasures.ts';
import { oweNews } from '../mail/queue.ts';
import { follow } from './settle.ts';

/** The members of a pending action that decide whether its proposer may still propose it. */
export interface Asked {
  /** Undefined where this version has no such tool. */
  readonly tool: Tool | undefined;
  /** For whom it was asked: the member whose access it rests on. */
  readonly subject: PrincipalRef;
  /** The agent or machine that asked; undefined for a person, whom no grant binds. */
  readonly granteeId: string | undefined;
  /** Through which client it was asked for: the agent itself, or that of the person's token. */
  readonly clientId: string | undefined;
}

/**
 * Withdraws, in the transaction of what took the right away, all pending actions for which `judge` gives a cause. What is
 * approved already fails when it is carried out.
 * @returns the ids of what was withdrawn
 */
export async function withdrawAll(
  { commands }: Pick<Deps, 'commands'>,
  tx: TenantTransaction,
  judge: (asked: Asked) => Cause | undefined,
): Promise<string[]> {
  const { tenant } = tx.context;
  // What is being done at once is waited for, and what is not held yet is not done any more.
  await noteErasure(tx);
  // As many as may be pending at most.
  const rows = await tx.query(
    statement(
      `select ${columns} from approvals.action a
       where a.tenant_id = $1 and a.state = 'pending' and a.expires_at > clock_timestamp() order by a.action_id for update`,
      [tenant],
    ),
  );
  const withdrawn: string[] = [];
  for (const action of rows.map(actionOf)) {
    const tool = commands.get(action.tool)?.tool;
    const cause = judge({
      tool,
      subject: action.subject,
      granteeId: granteeOf(action),
      clientId: action.clientId ?? undefined,
    });
    if (cause === undefined) continue;
    await follow(tx, action, event('approvals.action.withdrawn', { ...named(action), cause }));
    await tx.query(sql`
      update approvals.action set state = 'withdrawn', decided_by = ${tx.context.subject.id}, cause = ${cause},
        decided_at = clock_timestamp(), settled_at = clock_timestamp()
      where tenant_id = ${tenant} and action_id = ${action.id}`);
    withdrawn.push(action.id);
  }
  await oweNews(tx, withdrawn);
  return withdrawn;
}
