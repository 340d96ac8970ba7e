import { sql, type TenantScope } from '@steward/sql';
import type { Adapter } from '../adapters/adapter.ts';
import { type Delivery, NeverApplies } from '../receivers/receiver.ts';

/**
 * What is of another account than the connection names is not carried out, whoever signed it: one secret may sign for several accounts.
 * @throws NeverApplies
 */
export async function requireOwn(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  { connectionId, account }: Pick<Delivery, 'connectionId' | 'account'>,
  { namesAccount }: Pick<Adapter, 'namesAccount'>,
): Promise<void> {
  if (connectionId === null || (account === null && namesAccount !== true)) return;
  const [row] = await read<{ account: string | null }>(sql`
    select account from callbacks.connection where tenant_id = ${context.tenant}::uuid and connection_id = ${connectionId}::uuid`);
  const own = row?.account ?? null;
  if (own === null || own === account) return;
  throw new NeverApplies(
    account === null
      ? 'the event does not say whose account it is of, as each one of this provider does: it is taken for one of another account than the connection'
      : 'the event is of another account than the connection: connect that one too, if it is yours',
  );
}
