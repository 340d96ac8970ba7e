import type { Secrets } from '@steward/audit';
import { connectionCredentials, type Delivery, easypost, type Projection, type Receiver } from '@steward/callbacks';
import { createProviderClient, type Log, ProviderRefused } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { askProviders } from '../permissions.ts';
import { modes } from '../words.ts';
import type { TrackingSettings } from './settings.ts';
import { track } from './track.ts';
import { type Tracker, trackerOf } from './tracker.ts';

interface Ports {
  readonly settings: TrackingSettings;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly log: Log;
}

/**
 * A parcel has moved. Events overtake one another, so the tracker is read anew by the key of the connection; what is signed is taken where it has gone
 * from the provider.
 */
const followTracker = ({ settings: { api }, secrets, log }: Ports): Projection<Tracker | undefined> => {
  const client = createProviderClient({ name: 'EasyPost', base: api.href, log });
  const keyOf = async (context: TenantContext, connectionId: string): Promise<string | undefined> => {
    const reading = { context, query: context.require(askProviders).read };
    return (await connectionCredentials(reading, connectionId, secrets)).secrets['apiKey'];
  };
  return {
    fetch: async (context, { connectionId, data }, signal) => {
      const told = trackerOf(data['result']);
      if (told === undefined || connectionId === null) return told;
      const key = await keyOf(context, connectionId);
      if (key === undefined) return told;
      const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
      try {
        const { body } = await client.call('GET', `/v2/trackers/${told.id}`, { headers: { authorization }, signal });
        const now = trackerOf(body);
        return now?.number === told.number ? now : told;
      } catch (error) {
        if (error instanceof ProviderRefused && error.status === 404) return told;
        throw error;
      }
    },
    apply: async (tx, { live }: Delivery, tracker) => {
      if (tracker === undefined) return [];
      const moved = await track(tx, tracker, live === null ? modes : [live ? 'live' : 'test']);
      return moved.map((id) => ({ kind: 'fulfilment', id }));
    },
  };
};

/** What carriers say of parcels, by accounts of tenants. */
export const shipping = (ports: Ports): Receiver => ({
  name: 'commerce.shipping',
  at: 'commerce',
  path: '/webhooks/shipping',
  summary: 'Where parcels are',
  adapters: [easypost],
  connectable: true,
  credentials: () => ({ apiKey: 'API key of the account: trackers are read anew by it' }),
  secrets: () => [],
  projections: [
    { topics: ['tracker.created', 'tracker.updated'], projection: followTracker(ports) as Projection<never> },
  ],
});
