import { newId } from '@steward/kernel';
import { sql, statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { agenticFail } from '../errors.ts';
import { event } from '../events.ts';
import type { OpenDoor } from '../doors/find.ts';
import { admitAgents } from '../permissions.ts';
import type { OrderWebhook } from '../profiles/profile.ts';
import type { Standing } from '../words.ts';
import { webhookNamed } from './webhook-named.ts';

/** Of one brand in a day, of them of one domain, and in all: strangers may name as many profiles as they like. */
const mostOfDay = 1_000;
const mostOfDomain = 100;
const mostOfBrand = 50_000;

export interface Met {
  readonly agentId: string;
  readonly standing: Standing;
}

export interface Came {
  readonly profileUrl: string;
  /** Of the key that signed the request; null: nothing did. */
  readonly keyId: string | null;
  /** Undefined: it does not want to be told of orders. */
  readonly webhook: OrderWebhook | undefined;
}

interface Known extends Record<string, unknown> {
  readonly agent_id: string;
  readonly standing: Standing;
  readonly stale: boolean;
  readonly moved: boolean;
}

/**
 * The agent that came to a door, which is noted where it is the first time.
 * @throws Problem `agent_limit` (429)
 */
export async function meet(context: TenantContext, door: OpenDoor, { profileUrl, keyId, webhook }: Came): Promise<Met> {
  const scope = context.require(admitAgents);
  const { tenant } = context;
  const { brandId, protocol } = door;
  const verdict = keyId === null ? 'unsigned' : 'signed';
  const [webhookUrl, release] = [webhook?.url ?? null, webhook?.release ?? null];
  const known = sql`
    select agent_id, standing, last_seen_at < clock_timestamp() - interval '1 hour' or key_id is distinct from ${keyId} or verdict <> ${verdict} as stale,
      webhook_url is distinct from ${webhookUrl} or release is distinct from ${release} as moved from agentic.agent
    where tenant_id = ${tenant}::uuid and brand_id = ${brandId}::uuid and protocol = ${protocol} and profile_url = ${profileUrl}`;
  const name = (tx: TenantTransaction, agent: string): void =>
    void tx.record(webhookNamed({ agentId: agent, brandId, url: webhookUrl, release }));
  const [row] = await scope.read<Known>(known);
  if (row !== undefined && !row.stale && !row.moved) return { agentId: row.agent_id, standing: row.standing };
  const domain = row === undefined ? await domainOf(profileUrl) : '';
  return scope.write(async (tx) => {
    if (row !== undefined) {
      await tx.query(sql`
        update agentic.agent set last_seen_at = clock_timestamp(), key_id = ${keyId}, verdict = ${verdict}, webhook_url = ${webhookUrl}, release = ${release}
        where tenant_id = ${tenant}::uuid and agent_id = ${row.agent_id}::uuid`);
      if (row.moved) name(tx, row.agent_id);
      return { agentId: row.agent_id, standing: row.standing };
    }
    const [, [room]] = (await tx.queryAll([
      // New ones come one after the other, or each of many at once would find room for itself.
      sql`select pg_advisory_xact_lock(hashtextextended(${`agentic.agent ${tenant} ${brandId}`}, 0))`,
      statement(
        `select count(*) >= $3::int or count(*) filter (where host = $5 or right(host, length($5) + 1) = '.' || $5) >= $6::int or (select count(*) from (select from agentic.agent b where b.tenant_id = $1::uuid and b.brand_id = $2::uuid limit $4::int) x)
           >= $4::int as full from (select substring(a.profile_url from '^https?://(\\[[^\\]]*\\]|[^/:]*)') as host from agentic.agent a where a.tenant_id = $1::uuid and a.brand_id = $2::uuid
             and a.first_seen_at > clock_timestamp() - interval '1 day' limit $3::int) d`,
        [tenant, brandId, mostOfDay, mostOfBrand, domain, mostOfDomain],
      ),
    ])) as [unknown, { full: boolean }[]];
    if (room?.full === true) throw agenticFail('agent_limit', 'Come back tomorrow, or have the shop trust you.');
    const agentId = newId();
    const made = await tx.query(sql`
      insert into agentic.agent (tenant_id, agent_id, brand_id, protocol, profile_url, key_id, verdict, webhook_url, release)
      values (${tenant}::uuid, ${agentId}::uuid, ${brandId}::uuid, ${protocol}, ${profileUrl}, ${keyId}, ${verdict}, ${webhookUrl}, ${release})
      on conflict (tenant_id, brand_id, protocol, profile_url) do nothing returning agent_id`);
    if (made.length === 0) {
      const [other] = await tx.query<Known>(known);
      if (other === undefined) throw new Error('whoever was first has noted it');
      return { agentId: other.agent_id, standing: other.standing };
    }
    tx.record(
      event('agentic.agent.added', {
        agent_id: agentId,
        brand_id: brandId,
        protocol,
        profile_url: profileUrl,
        key_id: keyId,
        verdict,
      }),
    );
    if (webhook !== undefined) name(tx, agentId);
    return { agentId, standing: 'known' };
  });
}

/** Whose a host is: names below it are as many as its owner likes. */
async function domainOf(profileUrl: string): Promise<string> {
  const { hostname } = new URL(profileUrl);
  const { getDomain } = await import('tldts');
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
