import type { Projection } from '@steward/callbacks';
import { requireShop } from '../privacy/person.ts';
import { endChannel } from './disconnect.ts';
import { channelOf } from './of-delivery.ts';

/** The shop uninstalled the app: its token is void there, and is erased here. An installation that came after it stays. */
export const uninstalled: Projection = {
  apply: async (tx, delivery) => {
    requireShop(delivery);
    const found = await channelOf(tx, delivery);
    if (found === undefined || found.status !== 'connected') return [];
    if (Date.parse(found.connectedAt) > Date.parse(delivery.occurredAt ?? delivery.receivedAt)) return [];
    await endChannel(tx, found, 'uninstalled');
    return [{ kind: 'channel', id: found.id }];
  },
};
