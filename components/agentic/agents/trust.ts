import { asItWas, operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { event } from '../events.ts';
import { byBrand, decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { profileUrlOf } from '../profiles/profile.ts';
import { protocols } from '../words.ts';
import { agent, selectAgents } from './agent.ts';

/**
 * Names an agent as trusted, by the address of its profile, whether it has come before or not: a brand that sells to trusted agents alone sells to it.
 * @throws Problem `not_found` (404), `invalid_profile_url` (400)
 */
export const trustAgent = operation(
  {
    ...decides,
    name: 'service_trust_agent',
    input: z.strictObject({
      ...byBrand,
      protocol: z.enum(protocols).meta({ description: 'By which the agent buys.' }),
      profileUrl: z.string().min(1).max(2_000).meta({
        description:
          'The https address of its profile, as it names it in requests and service_list_agents_of_buyers tells it.',
      }),
    }),
    answer: agent.answer,
    errors: ['insufficient_role', 'not_found', 'invalid_profile_url'],
  },
  async (scope, { brandId, protocol, profileUrl }, ports: AgenticPorts) => {
    const url = profileUrlOf(undefined, profileUrl);
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      if ((await ports.brandIn(tx, brandId)) === undefined) throw noBrand();
      const agentId = newId();
      const made = await tx.query(sql`
        insert into agentic.agent (tenant_id, agent_id, brand_id, protocol, profile_url, verdict)
        values (${tenant}::uuid, ${agentId}::uuid, ${brandId}::uuid, ${protocol}, ${url}, 'unseen')
        on conflict (tenant_id, brand_id, protocol, profile_url) do nothing returning agent_id`);
      const [held] = await tx.query(
        selectAgents(
          'a.brand_id = $2::uuid and a.protocol = $3 and a.profile_url = $4 for no key update of a',
          tenant,
          brandId,
          protocol,
          url,
        ),
      );
      const before = agent.read(held ?? {});
      if (before.standing === 'trusted') return asItWas(before);
      await tx.query(sql`
        update agentic.agent set standing = 'trusted' where tenant_id = ${tenant}::uuid and agent_id = ${before.id}::uuid`);
      if (made.length > 0)
        tx.record(
          event('agentic.agent.added', {
            agent_id: agentId,
            brand_id: brandId,
            protocol,
            profile_url: url,
            key_id: null,
            verdict: 'unseen',
          }),
        );
      tx.record(event('agentic.agent.judged', { agent_id: before.id, brand_id: brandId, standing: 'trusted' }));
      tx.afterCommit(() => ports.changed(tenant));
      return { ...before, standing: 'trusted' as const };
    });
  },
);
