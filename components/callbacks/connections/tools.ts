import { type Tool, toolOf, under } from '@steward/tools';
import type { ConnectionPorts } from '../deps.ts';
import { pauseConnection, removeConnection, resumeConnection } from './change.ts';
import { getConnection, listConnections } from './list.ts';
import { connectProvider } from './make.ts';
import { listProviders } from './providers.ts';
import { addressed, type Addressed } from './shown.ts';

const called = ({ name, provider, live }: Addressed): string => `${name} (${provider}, ${live ? 'live' : 'test'})`;

const next = (one: Addressed): string => {
  const missing = [...one.missingSecrets, ...one.missingSettings];
  return missing.length === 0
    ? ''
    : ` A person now gives ${missing.join(', ')} in the console, under Commerce, Connections, or at PUT /api/connections/${one.id}/secrets of the portal.`;
};

export const connectionTools: readonly Tool<ConnectionPorts>[] = [
  toolOf(listProviders, {
    core: false,
    title: 'List providers',
    description:
      'Lists what provider accounts can be connected for (payments, bank feeds, marketplaces, shipping), at which providers, and which secrets and settings each needs. Call it before service_connect_provider.',
    say: ({ items }) => `${items.length} providers can be connected.`,
  }),
  toolOf(listConnections, {
    core: false,
    title: 'List provider connections',
    description:
      'Lists the connected provider accounts with their status, what each still needs, when it last received something, and how many deliveries wait or failed.',
    say: ({ items, nextCursor }) => `${items.length} connections${nextCursor === null ? '' : ', and more'}.`,
  }),
  toolOf(getConnection, {
    core: false,
    title: 'Get a provider connection',
    description: 'Gets one connected provider account, with its address for the provider and its health.',
    shows: under('connection', getConnection.answer),
    say: (one) => `${called(one)} is ${one.status}.`,
  }),
  toolOf(connectProvider, {
    core: false,
    approval: { moneyOut: false },
    annotations: { destructiveHint: false, idempotentHint: false },
    title: 'Connect a provider account',
    description:
      'Connects an account at a payment provider, bank feed, marketplace or carrier, so that what the provider reports is believed and carried out. No secret is given here: once it is made, a person gives the secrets in the portal. Register the answered address at the provider.',
    shows: under('connection', addressed),
    say: (one, preview) =>
      `${preview ? 'Would connect' : 'Connected'} ${called(one)} for ${one.receiver}.${preview ? '' : next(one)}`,
    preview: ({ receiver, provider, name, account, live, settings }) => ({
      receiver,
      provider,
      name,
      account,
      live,
      settings,
    }),
  }),
  toolOf(pauseConnection, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Pause a provider connection',
    description:
      'Takes what the provider reports without carrying it out, until service_resume_connection. Use it while something is being repaired.',
    shows: under('connection', addressed),
    say: (one, preview) => `${preview ? 'Would pause' : 'Paused'} ${called(one)}.`,
  }),
  toolOf(resumeConnection, {
    core: false,
    approval: { moneyOut: false },
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Resume a provider connection',
    description:
      'Carries out again what the provider reports, beginning with what was held while the connection was paused. A person may have paused it.',
    shows: under('connection', addressed),
    say: (one, preview) => `${preview ? 'Would resume' : 'Resumed'} ${called(one)}.`,
    preview: ({ receiver, provider, name, account, live }) => ({ receiver, provider, name, account, live }),
  }),
  toolOf(removeConnection, {
    core: false,
    final: true,
    approval: { moneyOut: false },
    annotations: { destructiveHint: true, idempotentHint: false },
    title: 'Remove a provider connection',
    description:
      'Ends a connection for good: its secrets are deleted and what the provider still sends is refused. Deliveries that are not carried out stay. To stop it for a while, use service_pause_connection.',
    shows: under('connection', addressed),
    say: (one, preview) => `${preview ? 'Would remove' : 'Removed'} ${called(one)}.`,
    preview: ({ receiver, provider, name, account, live }) => ({ receiver, provider, name, account, live }),
  }),
];
