import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { brandHost, byHost, holdHost, hostFrom, selectHosts } from './host.ts';

/** Gives a host up: at once in this process, within a second in every other. @throws Problem `not_found` (404) */
export const releaseHost = operation(
  {
    ...decides,
    name: 'service_release_brand_host',
    input: z.strictObject(byHost),
    answer: brandHost.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { hostId }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const before = await holdHost(tx, hostId, ports);
      if (before.status === 'released') return asItWas(before);
      await tx.query(sql`
        update agentic.host set standing = 'released', released_at = clock_timestamp()
        where tenant_id = ${tenant}::uuid and host_id = ${hostId}::uuid`);
      tx.record(event('agentic.host.released', { host_id: hostId, brand_id: before.brandId, host: before.host }));
      tx.afterCommit(() => ports.changed(tenant));
      const [row] = await tx.query(selectHosts('h.host_id = $2::uuid', tenant, hostId));
      return hostFrom(row, tenant, ports);
    }),
);
