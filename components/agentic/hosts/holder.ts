import { type Row, sql, type Statement, type TenantTransaction } from '@steward/sql';

/** Who has a host now: the brand that proved it last, of whichever tenant. */
export interface Holder {
  readonly tenant: string;
  readonly brandId: string;
  readonly hostId: string;
}

export const selectHolder = (host: string): Statement =>
  sql`select tenant_id, brand_id, host_id from agentic.holder_of_host(${host})`;

export const holderFrom = (row: Row | undefined): Holder | undefined =>
  row === undefined
    ? undefined
    : { tenant: row['tenant_id'] as string, brandId: row['brand_id'] as string, hostId: row['host_id'] as string };

/** Until the end of the transaction, nobody else becomes the one who has the host. */
export async function holdName(tx: TenantTransaction, host: string): Promise<Holder | undefined> {
  const [, [row] = []] = await tx.queryAll([
    sql`select pg_advisory_xact_lock(hashtextextended(${`agentic.host ${host}`}, 0))`,
    selectHolder(host),
  ]);
  return holderFrom(row);
}
