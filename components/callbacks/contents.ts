import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/** What connections say, as the digest in their events: `tenant_id`, `key` and `digest`. Verification makes the same from the rows. */
export const connectionContents = `select r.tenant_id, r.connection_id as key,
  ${digestOf(`'connection/v1', r.receiver, r.provider, r.name, r.account, r.proven_at is not null, r.live, r.settings`)} as digest
  from callbacks.connection r`;

/** The digest of a connection, in the transaction that wrote it. */
export async function contentOf(tx: TenantTransaction, connectionId: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${connectionContents}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      connectionId,
    ]),
  );
  if (row === undefined) throw new Error('the connection was written');
  return row.digest;
}
