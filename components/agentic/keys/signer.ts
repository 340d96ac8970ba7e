import type { Secrets } from '@steward/audit';
import { type RequestMessage, type ResponseMessage, sign } from '@steward/http-signatures';
import { createFreshCache, type FreshCache } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { KeyObject } from 'node:crypto';
import { freshFor } from '../doors/find.ts';
import { admitAgents } from '../permissions.ts';
import { privateFrom, seatOf, selectPublished, selectSigning } from './key.ts';

interface Held {
  readonly tenant: string;
  readonly keyid: string;
  readonly key: KeyObject;
}

export interface Signers {
  /** Fields that sign a message in the name of a brand; undefined where it has no key. `fields` are covered besides. */
  sign(
    brand: { readonly tenant: string; readonly brandId: string },
    message: RequestMessage | ResponseMessage,
    fields?: readonly string[],
  ): Promise<Readonly<Record<string, string>> | undefined>;
  /** Public keys of a brand, the newest first, as profiles publish them. */
  keysOf(brand: {
    readonly tenant: string;
    readonly brandId: string;
  }): Promise<readonly Readonly<Record<string, string>>[]>;
  readonly cache: Pick<FreshCache<Held>, 'forget'>;
}

export function createSigners({
  contextOf,
  secrets,
}: {
  readonly contextOf: (tenant: string) => TenantContext;
  readonly secrets: Pick<Secrets, 'open'>;
}): Signers {
  const cache = createFreshCache<Held>({ milliseconds: freshFor, capacity: 1_000, missing: 1_000 });
  return {
    cache,
    sign: async ({ tenant, brandId }, message, fields = []) => {
      const held = await cache.get(`${tenant} ${brandId}`, async () => {
        const context = contextOf(tenant);
        const { read } = context.require(admitAgents);
        const [row] = await read<{ key_id: string; thumbprint: string; sealed: string }>(
          selectSigning(tenant, brandId),
        );
        if (row === undefined) return { value: undefined };
        const query = read as TenantTransaction['query'];
        const bytes = await secrets.open({ context, query }, seatOf(brandId, row.key_id), row.sealed);
        return { value: { tenant, keyid: row.thumbprint, key: privateFrom(bytes) } };
      });
      if (held === undefined) return undefined;
      const { key, keyid } = held;
      return sign(message, { key, keyid, algorithm: 'ES256', fields, created: Math.floor(Date.now() / 1_000) });
    },
    keysOf: async ({ tenant, brandId }) => {
      const { read } = contextOf(tenant).require(admitAgents);
      const rows = await read<{ jwk: Readonly<Record<string, string>> }>(selectPublished(tenant, brandId));
      return rows.map(({ jwk }) => jwk);
    },
  };
}
