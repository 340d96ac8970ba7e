import { asItWas, operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { agenticFail } from '../errors.ts';
import { event } from '../events.ts';
import { byBrand, decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { brandHost, hostFrom, selectHosts } from './host.ts';
import { readHost } from './name.ts';

/** Of a brand, that it has not released. */
export const mostHosts = 20;

/**
 * Says that a host is a brand's. It blocks nobody else, and nothing is served there, until DNS says so too.
 * @throws Problem `not_found` (404), `host_not_valid` (400), `host_limit` (409)
 */
export const claimHost = operation(
  {
    ...decides,
    name: 'service_claim_brand_host',
    input: z.strictObject({
      ...byBrand,
      host: z
        .string()
        .min(1)
        .max(253)
        .meta({ description: 'Name of the host in DNS, such as `shop.example.com`; not the platform’s own.' }),
    }),
    answer: brandHost.answer,
    errors: { insufficient_role: null, not_found: null, host_not_valid: 'host', host_limit: null },
  },
  async (scope, { brandId, host: given }, ports: AgenticPorts) => {
    const host = await readHost(given, ports.ownHosts);
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      if ((await ports.brandIn(tx, brandId)) === undefined) throw noBrand();
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`agentic.host ${tenant} ${brandId}`}, 0))`);
      const claimed = await tx.query(
        selectHosts(`h.brand_id = $2::uuid and h.standing <> 'released'`, tenant, brandId),
      );
      const known = claimed.find((row) => row['host'] === host);
      if (known !== undefined) return asItWas(hostFrom(known, tenant, ports));
      if (claimed.length >= mostHosts)
        throw agenticFail('host_limit', `The brand has ${mostHosts} hosts: release one that it does not use.`);
      const hostId = newId();
      await tx.query(sql`
        insert into agentic.host (tenant_id, host_id, brand_id, host)
        values (${tenant}::uuid, ${hostId}::uuid, ${brandId}::uuid, ${host})`);
      tx.record(event('agentic.host.claimed', { host_id: hostId, brand_id: brandId, host }));
      const [row] = await tx.query(selectHosts('h.host_id = $2::uuid', tenant, hostId));
      return hostFrom(row, tenant, ports);
    });
  },
);
