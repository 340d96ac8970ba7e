import { asItWas, operation } from '@steward/access';
import { webhook } from '@steward/deliveries';
import { makerIn } from '@steward/identity';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { agenticFail } from '../errors.ts';
import { decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { agent, byAgent, noAgent, selectAgents } from './agent.ts';
import { webhookNamed } from './webhook-named.ts';

/** Where platforms take what becomes of orders, below the address that they give (ACP). */
const path = '/agentic_checkout/webhooks/order_events';

export const agentWebhook = z.object({
  agentId: z.uuid(),
  brandId: z.uuid(),
  webhookId: z.uuid(),
  url: z.string().meta({ description: 'Where the agent is told.' }),
  status: webhook.answer.shape.status,
  reason: webhook.answer.shape.reason,
});

/**
 * Has an agent platform that buys by ACP told of the orders that it placed, from now on; or elsewhere than before. It is told nothing until somebody has
 * taken the secret of the webhook.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `webhook_in_profile` (409)
 */
export const setAgentWebhook = operation(
  {
    ...decides,
    name: 'service_set_agent_webhook',
    input: z.strictObject({
      ...byAgent,
      url: z
        .string()
        .min(1)
        .max(1_900)
        .meta({
          description: `The https address of the platform, to which \`${path}\` is added.`,
        }),
    }),
    answer: agentWebhook,
    errors: ['insufficient_role', 'not_found', 'webhook_in_profile'],
  },
  async (scope, { agentId, url }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      const maker = await makerIn(tx);
      const [held] = await tx.query(
        selectAgents('a.agent_id = $2::uuid for no key update of a', tx.context.tenant, agentId),
      );
      if (held === undefined) throw noAgent();
      const { brandId, protocol } = agent.read(held);
      if (protocol !== 'acp')
        throw agenticFail('webhook_in_profile', 'Agents of UCP are told where their own profiles say.');
      const base = url.endsWith('/') ? url.slice(0, -1) : url;
      const { webhook: one, changed } = await ports.aim(tx, { agentId, brandId, url: `${base}${path}`, maker });
      const answer = { agentId, brandId, webhookId: one.id, url: one.url, status: one.status, reason: one.reason };
      if (!changed) return asItWas(answer);
      await tx.query(sql`
        update agentic.agent set webhook_url = ${one.url}
        where tenant_id = ${tx.context.tenant}::uuid and agent_id = ${agentId}::uuid`);
      tx.record(webhookNamed({ agentId, brandId, url: one.url, release: null }));
      return answer;
    }),
);
