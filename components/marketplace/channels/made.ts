import { listingOf, type Integrations } from '@steward/identity';

/** Channels as what gives data to somebody outside. The shop itself gave its code and its token, which nobody is shown, so none is suspended. */
export const madeChannels: Integrations = {
  kind: 'channel',
  select: listingOf({
    kind: 'channel',
    from: 'marketplace.channel c',
    row: 'c',
    id: 'c.channel_id',
    name: `c.name`,
    where: `c.status = 'connected'`,
    createdAt: 'c.connected_at',
  }),
};
