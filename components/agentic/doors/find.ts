import { createFreshCache, type FreshCache, isId } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import type { Mode, Protocol } from '../words.ts';
import type { Links } from './links.ts';

/** A brand that sells by a protocol. */
export interface OpenDoor {
  readonly tenant: string;
  readonly brandId: string;
  readonly protocol: Protocol;
  readonly mode: Mode;
  readonly refuseUnsigned: boolean;
  readonly trustedOnly: boolean;
  /** Pages of the brand that buyers are led to: addresses by what they say. */
  readonly links: Links;
}

/** How long another process may not have heard of a change. Milliseconds. */
export const freshFor = 1_000;

export interface Doors {
  /** Undefined: no brand of this id sells by this protocol. */
  find(brandId: string, protocol: Protocol): Promise<OpenDoor | undefined>;
  readonly cache: Pick<FreshCache<OpenDoor>, 'forget'>;
}

export function createDoors(
  pool: Pick<SqlPool, 'read'>,
  linksOf: (tenant: string, brandId: string) => Promise<Links>,
): Doors {
  const cache = createFreshCache<OpenDoor>({ milliseconds: freshFor, capacity: 10_000, missing: 10_000 });
  return {
    cache,
    find: async (brandId, protocol) => {
      if (!isId(brandId)) return undefined;
      return cache.get(`${protocol} ${brandId}`, async () => {
        const [row] = await pool.read<{
          tenant_id: string;
          mode: Mode;
          refuse_unsigned: boolean;
          trusted_only: boolean;
        }>(
          sql`select tenant_id, mode, refuse_unsigned, trusted_only from agentic.find_door(${brandId}::uuid, ${protocol})`,
        );
        if (row === undefined) return { value: undefined };
        const { tenant_id: tenant, mode, refuse_unsigned: refuseUnsigned, trusted_only: trustedOnly } = row;
        const links = await linksOf(tenant, brandId);
        return { value: { tenant, brandId, protocol, mode, refuseUnsigned, trustedOnly, links } };
      });
    },
  };
}
