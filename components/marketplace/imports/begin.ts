import { operation } from '@steward/access';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { byChannel, type Channel, channel, holdChannel, requireConnected } from '../channels/channel.ts';
import { event } from '../events.ts';
import { operates } from '../operations.ts';
import { markAll } from '../inventory/mark.ts';
import { markListings } from '../listings/mark.ts';
import type { ChannelPorts } from '../ports.ts';

/** Has a shop’s webhooks registered, its products and open orders imported, from the first page, and its stock and what is described here compared, if they are kept in step. */
export async function beginImport(tx: TenantTransaction, channelId: string): Promise<void> {
  await tx.query(sql`
    insert into marketplace.task (tenant_id, channel_id, kind)
    select ${tx.context.tenant}::uuid, ${channelId}::uuid, k from unnest(array['webhooks', 'products', 'orders']) k
    on conflict (tenant_id, channel_id, kind) do update set state = 'due', cursor = null, done = 0, failed = 0, total = null, last_error = null,
      attempts = 0, leased_until = null, next_at = clock_timestamp(), updated_at = clock_timestamp()`);
  await markAll(tx, channelId);
  await markListings(tx, [channelId]);
}

/**
 * Imports the products and open orders of a shop once more, and registers its webhooks where they are missing. What is here already is brought up to date.
 * @throws Problem `not_found` (404), `conflict` (409) where the shop is not connected
 */
export const importChannel = operation(
  {
    ...operates,
    name: 'service_import_channel',
    input: z.strictObject(byChannel),
    answer: channel.answer,
    errors: { not_found: 'channelId', conflict: 'channelId' },
  },
  async (scope, { channelId }, { wake }: ChannelPorts): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdChannel(tx, channelId);
      requireConnected(held);
      await beginImport(tx, channelId);
      tx.record(event('commerce.channel.import_requested', { channel_id: channelId }));
      tx.afterCommit(wake);
      return holdChannel(tx, channelId);
    }),
);
