import { id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { protocols, standings, verdicts } from '../words.ts';

/** An agent that came to a brand's door: of `agentic.agent` named `a`. */
export const agent = shape('a', {
  id: id('a.agent_id'),
  brandId: id(),
  protocol: oneOf(protocols),
  profileUrl: text(),
  /** Of the key of its last request; null where that was not signed. */
  keyId: nullable(text()),
  verdict: oneOf(verdicts),
  standing: oneOf(standings),
  firstSeenAt: moment(),
  /** To about an hour. */
  lastSeenAt: moment(),
});
export type Agent = Of<typeof agent>;

export const byAgent = { agentId: z.uuid().meta({ description: 'From service_list_agents_of_buyers.' }) };
export const noAgent = (): Error => fail('not_found', 'There is no such agent: list the agents for their ids.');

/** Agents of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectAgents = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${agent.columns} from agentic.agent a where a.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** An agent of the tenant. Undefined: there is none of this id. */
export async function agentIn(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  agentId: string,
): Promise<Agent | undefined> {
  const [row] = await tx.query(selectAgents('a.agent_id = $2::uuid', tx.context.tenant, agentId));
  return row === undefined ? undefined : agent.read(row);
}
