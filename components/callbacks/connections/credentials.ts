import type { Secrets } from '@steward/audit';
import { sql, type Statement, type TenantTransaction } from '@steward/sql';
import { seatOf } from '../intake/candidates.ts';
import { connection, selectConnections, unknownConnection } from './connection.ts';

/** What a provider's API is called with for a connection. */
export interface ConnectionCredentials {
  readonly id: string;
  readonly receiver: string;
  readonly provider: string;
  readonly account: string | null;
  readonly live: boolean;
  readonly status: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Opened: never log or store them. */
  readonly secrets: Readonly<Record<string, string>>;
}

type Reading = Pick<TenantTransaction, 'context' | 'query'>;

/** Of one connection that was not removed. @throws Problem `not_found` (404), `master_key_missing` (503) */
export async function connectionCredentials(
  tx: Reading,
  connectionId: string,
  secrets: Pick<Secrets, 'open'>,
): Promise<ConnectionCredentials> {
  const [row] = await tx.query(
    selectConnections(
      connection.columns,
      `and c.connection_id = $2::uuid and c.status <> 'removed'`,
      tx.context.tenant,
      [connectionId],
    ),
  );
  if (row === undefined) throw unknownConnection();
  const { id, receiver, provider, account, live, status, settings } = connection.read(row);
  const sealed = await tx.query<{ name: string; sealed: string }>(sql`
    select name, sealed from callbacks.secret where tenant_id = ${tx.context.tenant}::uuid and connection_id = ${id}::uuid`);
  const opened: Record<string, string> = {};
  for (const { name, sealed: text } of sealed)
    opened[name] = (await secrets.open(tx, seatOf(id, name), text)).toString();
  return { id, receiver, provider, account, live, status, settings, secrets: opened };
}

/** The active connection of a receiver for a mode, the oldest of several; undefined where there is none. */
export async function connectionFor(
  tx: Reading,
  { receiver, provider, live }: { readonly receiver: string; readonly provider?: string; readonly live: boolean },
): Promise<string | undefined> {
  const [row] = await tx.query(selectConnectionFor(tx.context.tenant, { receiver, provider, live }));
  return row === undefined ? undefined : String(row['connection_id']);
}

/** The same as a statement that travels with others; its row has `connection_id`. */
export const selectConnectionFor = (
  tenant: string,
  {
    receiver,
    provider,
    live,
  }: { readonly receiver: string; readonly provider?: string | undefined; readonly live: boolean },
): Statement => sql`
  select connection_id from callbacks.connection
  where tenant_id = ${tenant}::uuid and receiver = ${receiver} and live = ${live} and status = 'active'
    and provider = coalesce(${provider ?? null}, provider)
  order by created_at, connection_id limit 1`;
