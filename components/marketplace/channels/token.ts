import type { Secrets } from '@steward/audit';
import { sql, type TenantTransaction } from '@steward/sql';

/** What a shop's API is called with. */
export interface Token {
  readonly accessToken: string;
  /** What the shop granted; of a token that was kept before it was noted: nothing is known. */
  readonly scopes?: readonly string[];
  /** Null where the token does not end. */
  readonly refreshToken: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

export const isToken = (value: unknown): value is Token =>
  typeof value === 'object' && value !== null && 'accessToken' in value && typeof value.accessToken === 'string';

/** Where the token of a channel is sealed. */
const seatOf = (channelId: string): string => `marketplace.channel/${channelId}/token`;

export const sealToken = async (
  tx: TenantTransaction,
  secrets: Pick<Secrets, 'seal'>,
  channelId: string,
  token: Token,
): Promise<string> => secrets.seal(tx, seatOf(channelId), Buffer.from(JSON.stringify(token)));

export interface Opened {
  readonly shop: string;
  /** As it is kept: what is written in its place is written only while it is there. */
  readonly sealed: string;
  readonly token: Token;
}

/** The token of a channel; undefined where it is not connected. @throws Problem `master_key_missing` (503) */
export async function openToken(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  secrets: Pick<Secrets, 'open'>,
  channelId: string,
): Promise<Opened | undefined> {
  const [row] = await tx.query<{ shop: string; token: string }>(sql`
    select shop, token from marketplace.channel
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channelId}::uuid and status = 'connected'`);
  if (row === undefined) return undefined;
  const token: unknown = JSON.parse((await secrets.open(tx, seatOf(channelId), row.token)).toString());
  if (!isToken(token)) throw new Error('what is kept of a channel is no token');
  return { shop: row.shop, sealed: row.token, token };
}
