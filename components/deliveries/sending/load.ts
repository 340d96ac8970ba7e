import type { Deferred } from '@steward/kernel';
import { sql } from '@steward/sql';
import type { AgentRequests } from '../agents/requests.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { merchantHeaders, signedHeaders } from '../signing/key.ts';
import { openSigners } from '../signing/read.ts';
import type { Signing } from '../words.ts';
import { itself } from './context.ts';
import type { Target } from './lane.ts';

/** How an endpoint is sent to now; undefined where it is not active. */
export type LoadTarget = (tenant: string, endpointId: string) => Promise<Target | undefined>;

interface Row extends Record<string, unknown> {
  readonly url: string;
  readonly version: number;
  readonly per_second: number | null;
  readonly signing: Signing;
  readonly agent_id: string | null;
  readonly brand_id: string | null;
}

interface LoadPorts extends Pick<DeliveriesPorts, 'tenancy' | 'secrets'> {
  readonly agents: Deferred<AgentRequests>;
}

/** @throws Problem `master_key_missing` (503) */
export const loadTarget =
  (ports: LoadPorts): LoadTarget =>
  async (tenant, endpointId) => {
    const scope = itself(ports, tenant);
    const [row] = await scope.read<Row>(sql`
      select url, version, per_second, signing, agent_id, brand_id from deliveries.endpoint
      where tenant_id = ${tenant}::uuid and endpoint_id = ${endpointId}::uuid and status = 'active'`);
    if (row === undefined) return undefined;
    const { url, version, per_second: perSecond, signing, agent_id: agentId, brand_id: brandId } = row;
    const to = { url, version, perSecond };
    const agent = { tenant, agentId: agentId ?? '', brandId: brandId ?? '', url };
    if (signing === 'rfc9421') {
      return { ...to, refusalsStand: true, headersOf: async (one) => ports.agents.given.headersOf(agent, one) };
    }
    const signers = await openSigners(scope, ports, endpointId, signing);
    const live = () => {
      const now = performance.now();
      return signers.filter(({ until }) => until > now).map(({ sign }) => sign);
    };
    if (signing === 'merchant')
      return {
        ...to,
        refusalsStand: true,
        headersOf: async ({ eventId, body }) => {
          await ports.agents.given.requireTold(agent);
          return {
            ...merchantHeaders(live(), eventId, Math.floor(Date.now() / 1_000), body),
            'content-type': 'application/json',
          };
        },
      };
    return {
      ...to,
      refusalsStand: false,
      headersOf: ({ eventId, body }) => {
        return {
          ...signedHeaders(live(), eventId, Math.floor(Date.now() / 1_000), body),
          'content-type': 'application/json; charset=utf-8',
        };
      },
    };
  };
