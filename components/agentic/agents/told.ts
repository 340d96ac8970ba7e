import { type AgentRequests, NotSent, type ToldAgent } from '@steward/deliveries';
import { createFreshCache, type FreshCache } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { type Doors, freshFor, type OpenDoor } from '../doors/find.ts';
import { selectPlace } from '../hosts/place.ts';
import type { Signers } from '../keys/signer.ts';
import { admitAgents } from '../permissions.ts';
import type { Protocol, Standing } from '../words.ts';

/** How an agent stands at the door that it came to. */
interface Known {
  readonly tenant: string;
  readonly brandId: string;
  readonly protocol: Protocol;
  readonly standing: Standing;
  /** Where the brand is found, if it has a host. */
  readonly host: string | undefined;
}

export interface TellingPorts {
  readonly contextOf: (tenant: string) => TenantContext;
  readonly doors: Pick<Doors, 'find'>;
  readonly signers: Pick<Signers, 'sign'>;
  /** Where a brand says what it is, by its host where it has one. */
  readonly profileOf: (brandId: string, host: string | undefined) => string;
}

/** Why an agent is served nothing any more. */
export type Refusal = 'agent_missing' | 'agent_shut_out' | 'agent_not_trusted' | 'door_closed';

/** Why an agent is not told of its orders any more; undefined: it is. */
export const refusalOf = (
  { standing }: Pick<Known, 'standing'>,
  door: Pick<OpenDoor, 'trustedOnly'> | undefined,
): Exclude<Refusal, 'agent_missing'> | undefined => {
  if (standing === 'shut_out') return 'agent_shut_out';
  if (door === undefined) return 'door_closed';
  return door.trustedOnly && standing !== 'trusted' ? 'agent_not_trusted' : undefined;
};

/** What requests to agents prove themselves with, as long as those may be told. */
export function createAgentRequests({ contextOf, doors, signers, profileOf }: TellingPorts): AgentRequests & {
  readonly cache: Pick<FreshCache<Known>, 'forget'>;
  openTo(tenant: string, agentId: string): Promise<OpenDoor | Refusal>;
} {
  const cache = createFreshCache<Known>({ milliseconds: freshFor, capacity: 10_000, missing: 1_000 });
  const known = async (tenant: string, agentId: string): Promise<Known | undefined> =>
    cache.get(`${tenant} ${agentId}`, async () => {
      const { read } = contextOf(tenant).require(admitAgents);
      const [row] = await read<{ brand_id: string; protocol: Protocol; standing: Standing }>(sql`
        select brand_id, protocol, standing from agentic.agent where tenant_id = ${tenant}::uuid and agent_id = ${agentId}::uuid`);
      if (row === undefined) return { value: undefined };
      const { brand_id: brandId, protocol, standing } = row;
      const [place] = await read<{ host: string }>(selectPlace(tenant, brandId));
      return { value: { tenant, brandId, protocol, standing, host: place?.host } };
    });
  const toldAs = async ({ tenant, agentId, brandId }: ToldAgent): Promise<Known> => {
    const agent = await known(tenant, agentId);
    if (agent === undefined) throw new NotSent('agent_missing', { forGood: true });
    const because = refusalOf(agent, await doors.find(brandId, agent.protocol));
    if (because !== undefined) throw new NotSent(because, { forGood: true });
    return agent;
  };
  const openTo = async (tenant: string, agentId: string): Promise<OpenDoor | Refusal> => {
    const agent = await known(tenant, agentId);
    if (agent === undefined) return 'agent_missing';
    const door = await doors.find(agent.brandId, agent.protocol);
    return refusalOf(agent, door) ?? door ?? 'door_closed';
  };
  return {
    cache,
    openTo,
    requireTold: async (agent) => void (await toldAs(agent)),
    headersOf: async (agent, { eventId, body, occurredAt }) => {
      const { host } = await toldAs(agent);
      const { tenant, brandId, url } = agent;
      const headers = {
        'content-type': 'application/json',
        'ucp-agent': `profile="${profileOf(brandId, host)}"`,
        'webhook-id': eventId,
        // The protocol wants one with each request that changes something; a repetition has the same.
        'idempotency-key': eventId,
        'webhook-timestamp': String(Math.floor((occurredAt ?? new Date()).getTime() / 1_000)),
      };
      const message = { method: 'POST', url, headers, body: Buffer.from(body) };
      const signature = await signers.sign({ tenant, brandId }, message, [
        'ucp-agent',
        'idempotency-key',
        'webhook-id',
        'webhook-timestamp',
      ]);
      if (signature === undefined) throw new NotSent('signing_key_missing', { forGood: false });
      return { ...headers, ...signature };
    },
  };
}
