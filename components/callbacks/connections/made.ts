import { listingOf, type Integrations } from '@steward/identity';
import { knowers } from './connection.ts';

/** Connections as what lets somebody in from outside. People alone give their secrets, so shutting out a client suspends none: payments would stop. */
export const madeConnections: Integrations = {
  kind: 'connection',
  select: listingOf({
    kind: 'connection',
    from: 'callbacks.connection c',
    row: 'c',
    id: 'c.connection_id',
    name: 'c.name',
    where: `c.status <> 'removed'`,
    active: `c.status = 'active'`,
    knowers,
  }),
};
