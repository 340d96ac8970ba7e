import { hash } from 'node:crypto';
import { event } from '../events.ts';

/** Where an agent is told of its orders from now on. */
export const webhookNamed = ({
  agentId: agent_id,
  brandId: brand_id,
  url,
  release,
}: {
  readonly agentId: string;
  readonly brandId: string;
  readonly url: string | null;
  readonly release: string | null;
}) =>
  event('agentic.agent.webhook_named', {
    agent_id,
    brand_id,
    url_sha256: url === null ? null : hash('sha256', url),
    release,
  });
