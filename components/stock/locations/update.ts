import { isDeepStrictEqual } from 'node:util';
import { asItWas, operation } from '@steward/access';
import { sql, sqlState, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { stockFail } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import type { StockPorts } from '../ports.ts';
import { byLocation, codeTaken, given, location, type Location, noLocation, selectLocations } from './location.ts';

const members = ['name', 'code', 'country', 'address', 'postalAddress', 'priority'] as const;

const input = z.strictObject({
  ...byLocation,
  ...given,
  name: given.name.optional(),
  code: given.code.optional(),
  priority: given.priority.meta({ description: 'Orders take stock from the location with the lowest number first.' }),
  archived: z.boolean().optional().meta({
    description: 'true: no stock is put there any more; it must be empty and no pickup. false brings it back.',
  }),
});

/**
 * Changes what is given and nothing else. A location is archived once nothing is on hand, reserved or incoming there, and no pickup names it.
 * @throws Problem `not_found` (404), `location_code_taken`, `location_in_use` (409)
 */
export const updateLocation = operation(
  {
    ...changes,
    name: 'service_update_location',
    input,
    answer: location.answer,
    errors: {
      location_code_taken: 'code',
      location_in_use: 'archived',
      insufficient_role: null,
      not_found: null,
    },
  },
  async (scope, { locationId, archived, ...change }, { pickupsAt }: StockPorts) => {
    try {
      return await scope.write(async (tx) => {
        const [row] = await tx.query(
          selectLocations('p.location_id = $2::uuid for update', tx.context.tenant, locationId),
        );
        if (row === undefined) throw noLocation();
        const before = location.read(row);
        const changed = members.filter(
          (member) => change[member] !== undefined && !isDeepStrictEqual(change[member], before[member]),
        );
        const moves = archived !== undefined && archived !== (before.archivedAt !== null);
        if (changed.length === 0 && !moves) return asItWas(before);
        if (moves && archived) await close(tx, before.id, await pickupsAt(tx, before.id));
        const next = { ...before, ...Object.fromEntries(changed.map((member) => [member, change[member]])) };
        const after = await store(tx, next, moves ? archived : before.archivedAt !== null);
        const version = after.version;
        if (changed.length > 0)
          tx.record(event('commerce.location.updated', { location_id: before.id, fields: changed, version }));
        if (moves)
          tx.record(
            event(archived ? 'commerce.location.archived' : 'commerce.location.restored', {
              location_id: before.id,
              version,
            }),
          );
        return after;
      });
    } catch (error) {
      if (sqlState(error) === '23505' && change.code !== undefined) throw codeTaken(change.code);
      throw error;
    }
  },
);

/** @param pickups who adds one holds the location meanwhile, so that these are all */
async function close(tx: TenantTransaction, locationId: string, pickups: readonly string[]): Promise<void> {
  if (pickups.length > 0)
    throw stockFail(
      'location_in_use',
      `Buyers fetch goods at this location (${pickups.join(', ')}): change or archive these shipping options first.`,
    );
  const [row] = await tx.query<{ closed: boolean }>(sql`select stock.close_location(${locationId}::uuid) as closed`);
  if (row?.closed !== true)
    throw stockFail(
      'location_in_use',
      'Stock is on hand, reserved or incoming at this location, or is being changed at this moment: transfer it and fulfil or cancel what is reserved, then archive the location.',
    );
}

async function store(tx: TenantTransaction, next: Location, archived: boolean): Promise<Location> {
  const [row] = await tx.query(
    statement(
      `update stock.location p set name = $3, code = $4, country = $5, address = $6, priority = $7::int, postal_address = $9::jsonb, version = version + 1,
         updated_at = clock_timestamp(), archived_at = case when $8::boolean then coalesce(p.archived_at, clock_timestamp()) end
       where p.tenant_id = $1::uuid and p.location_id = $2::uuid returning ${location.columns}`,
      [
        tx.context.tenant,
        next.id,
        next.name,
        next.code,
        next.country,
        next.address,
        next.priority,
        archived,
        next.postalAddress === null ? null : JSON.stringify(next.postalAddress),
      ],
    ),
  );
  return location.read(row ?? {});
}
