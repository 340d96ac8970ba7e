import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { field, id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { publicJwk } from '@steward/http-signatures';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

/** What a brand signs with: of `agentic.signing_key` named `k`. */
export const signingKey = shape('k', {
  id: id('k.key_id'),
  brandId: id(),
  /** The `kid` that others know it by (RFC 7638). */
  thumbprint: text(),
  /** As profiles publish it. */
  jwk: field(z.record(z.string(), z.string())),
  /** `ending`: the brand signs with a newer one, and it is published until `retiresAt`. */
  status: oneOf(
    ['active', 'ending', 'retired', 'revoked'],
    `case when k.revoked_at is not null then 'revoked' when k.retires_at is null then 'active'
      when k.retires_at <= clock_timestamp() then 'retired' else 'ending' end`,
  ),
  createdAt: moment(),
  retiresAt: nullable(moment()),
  revokedAt: nullable(moment()),
});
export type SigningKey = Of<typeof signingKey>;

export const byKey = { keyId: z.uuid().meta({ description: 'From service_list_signing_keys.' }) };
export const noKey = (): Error => fail('not_found', 'There is no such signing key: list the keys for their ids.');

/** Keys of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectKeys = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${signingKey.columns} from agentic.signing_key k where k.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

const signing = 'k.tenant_id = $1::uuid and k.brand_id = $2::uuid and k.retires_at is null and k.revoked_at is null';

/** Whether a brand has a key that it signs with. */
export async function signsNow(
  { context, query }: Pick<TenantTransaction, 'context' | 'query'>,
  brandId: string,
): Promise<boolean> {
  const rows = await query(
    statement(`select from agentic.signing_key k where ${signing} limit 1`, [context.tenant, brandId]),
  );
  return rows.length > 0;
}

export const selectSigning = (tenant: string, brandId: string): Statement =>
  statement(
    `select k.key_id, k.thumbprint, s.sealed from agentic.signing_key k
     join agentic.signing_secret s on s.tenant_id = k.tenant_id and s.key_id = k.key_id where ${signing} order by k.created_at desc limit 1`,
    [tenant, brandId],
  );

/** Keys of a brand that are published at once: each that was rotated is, for a week. */
export const mostPublished = 20;

/** Those that others may verify with. */
export const selectPublished = (tenant: string, brandId: string): Statement =>
  statement(
    `select k.jwk from agentic.signing_key k where k.tenant_id = $1::uuid and k.brand_id = $2::uuid and k.revoked_at is null
       and (k.retires_at is null or k.retires_at > clock_timestamp()) order by k.created_at desc, k.key_id limit $3::int`,
    [tenant, brandId, mostPublished],
  );

/** Where the sealed private part is kept. */
export const seatOf = (brandId: string, keyId: string): string => `agentic.signing_key/${brandId}/${keyId}`;

/** A pair of ECDSA P-256, which everybody must understand. */
export function makePair(): { readonly sealable: Buffer; readonly jwk: ReturnType<typeof publicJwk> } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { sealable: privateKey.export({ format: 'der', type: 'pkcs8' }), jwk: publicJwk(privateKey) };
}

export const privateFrom = (bytes: Buffer): KeyObject => createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
