import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../grammars/own.ts';
import { genesis } from '../chain/genesis.ts';

/**
 * Opens the chain of a new tenant in the transaction that makes the tenant: its genesis, and `audit.chain.opened` as
 * its first event. To be called before anything else is recorded there. Harmless where the chain is open already.
 */
export async function openChain(tx: TenantTransaction): Promise<void> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{ opened: boolean }>(sql`select audit.open_chain(${tenant}) as opened`);
  if (row?.opened !== true) return;
  tx.record(event('audit.chain.opened', { genesis: genesis(tenant).toString('hex') }));
}
