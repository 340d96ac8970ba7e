import type { Delivery } from '@steward/callbacks';
import type { TenantTransaction } from '@steward/sql';
import { type Channel, channel, selectChannels } from './channel.ts';

/** The channel of the shop that a delivery is about, held; undefined where the tenant has none. */
export async function channelOf(
  tx: TenantTransaction,
  { account }: Pick<Delivery, 'account'>,
): Promise<Channel | undefined> {
  const [row] = await tx.query(
    selectChannels(`c.provider = 'shopify' and c.shop = $2 for update`, tx.context.tenant, account ?? ''),
  );
  return row === undefined ? undefined : channel.read(row);
}
