import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { ConnectionPorts } from '../deps.ts';
import { pauseConnection, removeConnection, resumeConnection } from './change.ts';
import { giveSecrets } from './give-secrets.ts';
import { getConnection, listConnections } from './list.ts';
import { connectProvider } from './make.ts';
import { listProviders } from './providers.ts';

/** What a token is refused with that does not decide. */
const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'];

export function connectionRoutes(guard: ReturnType<Identity['tenant']>, ports: ConnectionPorts): Route[] {
  const rest = restOf({ guard, tag: 'Provider connections', ports });
  const decides = { demands: ports.decider.requireFor, errors: deciding };
  return [
    rest('GET', '/api/providers', listProviders, {
      summary: 'List providers',
      description: 'What accounts can be connected for, at which providers, and which secrets and settings each needs.',
      answers: { 200: 'The providers.' },
    }),
    rest('GET', '/api/connections', listConnections, {
      summary: 'List provider connections',
      description: 'With what each still needs and how it does. No secret is ever shown.',
      answers: { 200: 'A page of connections.' },
    }),
    rest('GET', '/api/connections/:connectionId', getConnection, {
      summary: 'Get a provider connection',
      answers: { 200: 'The connection.' },
    }),
    rest('POST', '/api/connections', connectProvider, {
      summary: 'Connect a provider account',
      description: 'Needs a token that decides: the organization believes from then on what this account says.',
      answers: { 201: 'The connection, with the address to register at the provider.' },
      ...decides,
    }),
    rest('PUT', '/api/connections/:connectionId/secrets', giveSecrets, {
      summary: 'Give the secrets and settings of a provider connection',
      description:
        'For a person alone, with a token that decides: secrets pass through no tool and no pending action. The first ones open the connection; ' +
        'later ones rotate, and the signing secret before is accepted for `overlapHours`. Settings are what is no secret, such as the id of a webhook; null removes one.',
      answers: { 200: 'The connection.' },
      errors: deciding,
    }),
    rest('POST', '/api/connections/:connectionId/pause', pauseConnection, {
      summary: 'Pause a provider connection',
      description: 'Deliveries are taken and held.',
      answers: { 200: 'The connection.' },
    }),
    rest('POST', '/api/connections/:connectionId/resume', resumeConnection, {
      summary: 'Resume a provider connection',
      description: 'Needs a token that decides. Carries out what was held first.',
      answers: { 200: 'The connection.' },
      ...decides,
    }),
    rest('DELETE', '/api/connections/:connectionId', removeConnection, {
      summary: 'Remove a provider connection',
      description: 'Needs a token that decides. Its secrets are deleted; what the provider still sends is refused.',
      answers: { 200: 'The connection as it was removed.' },
      ...decides,
    }),
  ];
}
