import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { agenticFail } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { challengeOf } from './challenge.ts';
import { holdName } from './holder.ts';
import { brandHost, byHost, holdHost, hostFrom, selectHosts } from './host.ts';

/**
 * Asks DNS whether a host is the brand's, and serves the brand there from now on. Who has the host keeps it while its record stands there; where that is gone, whoever
 * proves it takes over.
 * @throws Problem `not_found` (404), `host_released`, `host_unproved`, `host_taken` (409), `unavailable` (503)
 */
export const verifyHost = operation(
  {
    ...changes,
    name: 'service_verify_brand_host',
    input: z.strictObject(byHost),
    answer: brandHost.answer,
    errors: ['insufficient_role', 'not_found', 'host_released', 'host_unproved', 'host_taken', 'unavailable'],
  },
  async (scope, { hostId }, ports: AgenticPorts) => {
    const { tenant } = scope.context;
    const [asked] = await scope.read(selectHosts('h.host_id = $2::uuid', tenant, hostId));
    const { status, host, record } = hostFrom(asked, tenant, ports);
    if (status === 'released') throw released();
    // No transaction waits for somebody else's server.
    const texts = await ports.textsAt(record.name, tenant);
    if (!texts.includes(record.value))
      throw agenticFail(
        'host_unproved',
        `DNS has no TXT record ${record.name} that says ${record.value}: add it, wait until it is published, and verify again.`,
      );
    return scope.write(async (tx) => {
      const holder = await holdName(tx, host);
      const before = await holdHost(tx, hostId, ports);
      if (before.status === 'released') throw released();
      if (holder?.hostId === hostId && holder.tenant === tenant) return asItWas(before);
      if (holder !== undefined && texts.includes(challengeOf(ports.secret, { ...holder, host })))
        throw agenticFail(
          'host_taken',
          'Another brand has this host, and its record stands in DNS: remove that first if the host is yours.',
        );
      // Of two, the later one has it, whatever the clock did between them.
      await tx.query(sql`
        update agentic.host set standing = 'verified', verified_at = greatest(clock_timestamp(),
          (select o.verified_at + interval '1 microsecond' from agentic.holder_of_host(${host}) o))
        where tenant_id = ${tenant}::uuid and host_id = ${hostId}::uuid`);
      tx.record(event('agentic.host.verified', { host_id: hostId, brand_id: before.brandId, host }));
      tx.afterCommit(() => {
        ports.changed(tenant);
        if (holder !== undefined) ports.lapsed(holder, host);
      });
      const [row] = await tx.query(selectHosts('h.host_id = $2::uuid', tenant, hostId));
      return hostFrom(row, tenant, ports);
    });
  },
);

const released = (): Error => agenticFail('host_released', 'The brand has released this host: claim it again.');
