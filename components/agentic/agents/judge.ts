import { asItWas, operation } from '@steward/access';
import { statement, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { changes, decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import type { Standing } from '../words.ts';
import { type Agent, agent, byAgent, noAgent, selectAgents } from './agent.ts';

const spec = {
  input: z.strictObject(byAgent),
  answer: agent.answer,
  errors: ['insufficient_role', 'not_found'],
} as const;

const judge =
  (standing: Standing) =>
  async (scope: TenantScope, { agentId }: { readonly agentId: string }, ports: AgenticPorts): Promise<Agent> =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [held] = await tx.query(selectAgents('a.agent_id = $2::uuid for no key update of a', tenant, agentId));
      if (held === undefined) throw noAgent();
      const before = agent.read(held);
      if (before.standing === standing) return asItWas(before);
      const [row] = await tx.query(
        statement(
          `update agentic.agent a set standing = $3 where a.tenant_id = $1::uuid and a.agent_id = $2::uuid returning ${agent.columns}`,
          [tenant, agentId, standing],
        ),
      );
      tx.record(event('agentic.agent.judged', { agent_id: agentId, brand_id: before.brandId, standing }));
      tx.afterCommit(() => ports.changed(tenant));
      return agent.read(row ?? {});
    });

/** Ends what an agent may: at once in this process, within a second in every other. @throws Problem `not_found` (404) */
export const shutOutAgent = operation({ ...changes, name: 'service_shut_out_agent', ...spec }, judge('shut_out'));

/** Back to what every agent is: neither trusted nor shut out. @throws Problem `not_found` (404) */
export const readmitAgent = operation({ ...decides, name: 'service_readmit_agent', ...spec }, judge('known'));
