import { clientOf } from '@steward/identity';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

const lock = (tenant: string): string => `appointing ${tenant}`;

/** For shutting a client out: everything made through it is committed by then, or finds it shut out. */
export async function closeClients(tx: TenantTransaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock(tx.context.tenant)}, 0))`);
}

/** For making something through a client: no client is shut out before this transaction ends. Call it before any row is locked. */
export async function holdClients(tx: TenantTransaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${lock(tx.context.tenant)}, 0))`);
}

/** The client that somebody is appointed through, in the transaction that does it. @throws Problem `tenant_forbidden` (403) */
export async function openClient(tx: TenantTransaction): Promise<string | undefined> {
  const client = clientOf(tx.context);
  await holdClients(tx);
  const shut = await tx.query(sql`
    select from portal.agent_grant
    where agent_id = ${client ?? ''} and (revoked_at is not null or suspended_at is not null)`);
  if (shut.length > 0)
    throw fail(
      'tenant_forbidden',
      'The client that sent this request was shut out of the organization. Use another client.',
    );
  return client;
}
