import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { agenticFail } from '../errors.ts';
import { event } from '../events.ts';
import { signsNow } from '../keys/key.ts';
import { byBrand, decides } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { modes, protocols } from '../words.ts';
import { brandDoors, doorsFrom, selectDoors } from './door.ts';
import { noBrand } from './get.ts';

/**
 * Opens, closes or changes the door of a brand for the agents of one protocol. What is not given stays as it is.
 * @throws Problem `not_found` (404), `signing_key_missing` (409)
 */
export const configureAgenticCommerce = operation(
  {
    ...decides,
    name: 'service_configure_agentic_commerce',
    input: z.strictObject({
      ...byBrand,
      protocol: z.enum(protocols).meta({
        description: '`ucp`: the Universal Commerce Protocol. `acp`: the Agentic Commerce Protocol.',
      }),
      active: z.boolean().optional().meta({ description: 'Whether agents may buy from the brand by this protocol.' }),
      mode: z.enum(modes).optional().meta({
        description:
          '`live`: real orders, of signed requests alone. `test`: test orders, which touch neither money nor books.',
      }),
      refuseUnsigned: z.boolean().optional().meta({
        description: 'true: requests of a test door must be signed, too. Those of a live door must be in any case.',
      }),
      trustedOnly: z
        .boolean()
        .optional()
        .meta({ description: 'true: only agents that service_trust_agent named are served.' }),
    }),
    answer: brandDoors,
    errors: ['insufficient_role', 'not_found', 'signing_key_missing'],
  },
  async (scope, { brandId, protocol, ...given }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      if ((await ports.brandIn(tx, brandId)) === undefined) throw noBrand();
      // What is not given is written as it was read, so whoever else configures the brand waits.
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`agentic.door ${tenant} ${brandId}`}, 0))`);
      const before = doorsFrom(await tx.queryAll(selectDoors(tenant, brandId)), brandId, ports);
      const held = before.doors.find((one) => one.protocol === protocol);
      if (held === undefined) throw new Error('a brand has a door of each protocol');
      const { active, mode, refuseUnsigned, trustedOnly } = held;
      const terms = { active, mode, refuseUnsigned, trustedOnly };
      const next = {
        ...terms,
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      };
      if (isDeepStrictEqual(next, terms)) return asItWas(before);
      if (next.active && !(await signsNow(tx, brandId)))
        throw agenticFail('signing_key_missing', 'Make a key first: call service_create_signing_key for the brand.');
      const [row] = await tx.query<{ version: number }>(sql`
        insert into agentic.door as d (tenant_id, brand_id, protocol, active, mode, refuse_unsigned, trusted_only, version)
        values (${tenant}::uuid, ${brandId}::uuid, ${protocol}, ${next.active}, ${next.mode}, ${next.refuseUnsigned}, ${next.trustedOnly}, 1)
        on conflict (tenant_id, brand_id, protocol) do update set active = excluded.active, mode = excluded.mode,
          refuse_unsigned = excluded.refuse_unsigned, trusted_only = excluded.trusted_only, version = d.version + 1, updated_at = clock_timestamp()
        returning version`);
      tx.record(
        event('agentic.door.configured', {
          brand_id: brandId,
          protocol,
          active: next.active,
          mode: next.mode,
          refuse_unsigned: next.refuseUnsigned,
          trusted_only: next.trustedOnly,
          version: row?.version ?? 1,
        }),
      );
      tx.afterCommit(() => ports.changed(tenant));
      return doorsFrom(await tx.queryAll(selectDoors(tenant, brandId)), brandId, ports);
    }),
);
