import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { agenticFail } from '../errors.ts';
import { event } from '../events.ts';
import type { AgenticPorts } from '../ports.ts';
import { overlapDays } from '../words.ts';
import { makePair, mostPublished, seatOf, selectKeys, selectPublished, signingKey, type SigningKey } from './key.ts';

/**
 * Makes a key that the brand signs with from now on; those before it are published for a week more. The brand is held.
 * @throws Problem `signing_key_limit` (409)
 */
export async function issueKey(
  tx: TenantTransaction,
  brandId: string,
  ports: AgenticPorts,
): Promise<SigningKey & { readonly replaces: string | null }> {
  const { tenant } = tx.context;
  // One more would push out one that is promised to be there: that is to revoke it.
  const published = await tx.query(selectPublished(tenant, brandId));
  if (published.length >= mostPublished)
    throw agenticFail(
      'signing_key_limit',
      `The brand publishes ${mostPublished} keys: wait until one that was rotated ends, a week afterwards, or have one revoked.`,
    );
  const keyId = newId();
  const { sealable, jwk } = makePair();
  const sealed = await ports.secrets.seal(tx, seatOf(brandId, keyId), sealable);
  const [earlier] = await tx.query<{ key_id: string; retires_at: Date }>(sql`
    update agentic.signing_key set retires_at = clock_timestamp() + make_interval(days => ${overlapDays}::int)
    where tenant_id = ${tenant}::uuid and brand_id = ${brandId}::uuid and retires_at is null and revoked_at is null returning key_id, retires_at`);
  await tx.query(sql`
    insert into agentic.signing_key (tenant_id, brand_id, key_id, thumbprint, jwk)
    values (${tenant}::uuid, ${brandId}::uuid, ${keyId}::uuid, ${jwk.kid}, ${JSON.stringify(jwk)}::jsonb)`);
  await tx.query(sql`
    insert into agentic.signing_secret (tenant_id, key_id, sealed) values (${tenant}::uuid, ${keyId}::uuid, ${sealed})`);
  tx.record(
    event('agentic.key.created', {
      brand_id: brandId,
      key_id: keyId,
      thumbprint: jwk.kid,
      earlier_key_id: earlier?.key_id ?? null,
      earlier_end_at: earlier?.retires_at.toISOString() ?? null,
    }),
  );
  tx.afterCommit(() => ports.changed(tenant));
  const [row] = await tx.query(selectKeys('k.key_id = $2::uuid', tenant, keyId));
  return { ...signingKey.read(row ?? {}), replaces: earlier?.key_id ?? null };
}
