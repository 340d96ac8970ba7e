import { sql, type TenantScope, type TenantTransaction } from '@steward/sql';
import type { DeliveriesPorts } from '../ports.ts';
import type { SecretSigning } from '../words.ts';
import { seatOf } from './issue.ts';
import { type Signer, signerOf } from './key.ts';

interface Sealed extends Record<string, unknown> {
  readonly secret_id: string;
  readonly sealed: string;
  /** Milliseconds until it ends; null: not yet known. */
  readonly left: number | null;
}

/** The bytes of one secret; undefined where it has ended, or is not committed. */
export async function openSecret(
  { context, read }: TenantScope,
  { secrets }: Pick<DeliveriesPorts, 'secrets'>,
  webhookId: string,
  secretId: string,
): Promise<Buffer | undefined> {
  const [row] = await read<{ sealed: string }>(sql`
    select sealed from deliveries.secret where tenant_id = ${context.tenant}::uuid and endpoint_id = ${webhookId}::uuid
      and secret_id = ${secretId}::uuid and sealed is not null and coalesce(expires_at > clock_timestamp(), true)`);
  if (row === undefined) return undefined;
  return secrets.open({ context, query: read as TenantTransaction['query'] }, seatOf(webhookId, secretId), row.sealed);
}

export interface LiveSigner {
  readonly sign: Signer;
  /** Of `performance.now()`: it signs nothing from then on. */
  readonly until: number;
}

/** What a webhook signs with, the newest first. */
export async function openSigners(
  { context, read }: TenantScope,
  { secrets }: Pick<DeliveriesPorts, 'secrets'>,
  webhookId: string,
  signing: SecretSigning,
): Promise<LiveSigner[]> {
  const rows = await read<Sealed>(sql`
    select secret_id, sealed, (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as left from deliveries.secret
    where tenant_id = ${context.tenant}::uuid and endpoint_id = ${webhookId}::uuid and sealed is not null
      and coalesce(expires_at > clock_timestamp(), true)
    order by created_at desc, secret_id desc`);
  const now = performance.now();
  return Promise.all(
    rows.map(async ({ secret_id, sealed, left }) => {
      const query = read as TenantTransaction['query'];
      const bytes = await secrets.open({ context, query }, seatOf(webhookId, secret_id), sealed);
      return { sign: signerOf(signing, bytes), until: left === null ? Infinity : now + left };
    }),
  );
}
