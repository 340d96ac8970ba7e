import { ConfigError, integer, oneOf, settings, text } from '@steward/kernel';
import { type Version, versions } from './negotiation/versions.ts';

export interface UcpSettings {
  /** What the profile of every brand says first; those after it are served too. */
  readonly version: Version;
  readonly perAddressPerMinute: number;
  /** The official suite is served what it wants beyond the protocol. */
  readonly conformance: boolean;
  /** What the suite sends where it has an order shipped. */
  readonly simulationSecret: string | undefined;
}

const variables = {
  UCP_VERSION: {
    default: versions[0],
    says: `Release of the protocol that profiles say first, one of ${versions.join(', ')}. Older ones are served beside it.`,
  },
  UCP_PER_IP_PER_MINUTE: {
    default: '600',
    says: 'Requests per address and minute, over all doors of this protocol. IPv6 addresses count by /64.',
  },
  UCP_CONFORMANCE: {
    default: '0',
    says:
      '`1` serves the official test suite what it wants beyond the protocol: unsigned requests, stored addresses of invented buyers, profiles over plain ' +
      'HTTP, and writing to orders. For a server of its own: refused with `NODE_ENV=production`, and no brand may be open for live orders.',
  },
  UCP_SIMULATION_SECRET: {
    default: '',
    says: 'With `UCP_CONFORMANCE=1`: what the suite sends as `Simulation-Secret`. Empty: nothing is simulated.',
  },
} as const;

export const ucpSettings = settings(variables, (env, { production }): { readonly ucp: UcpSettings } => {
  const conformance = oneOf('UCP_CONFORMANCE', text(env, 'UCP_CONFORMANCE'), ['0', '1']) === '1';
  if (conformance && production)
    throw new ConfigError('UCP_CONFORMANCE=1 serves strangers what it should not. Unset it where NODE_ENV=production.');
  const secret = text(env, 'UCP_SIMULATION_SECRET');
  return {
    ucp: {
      version: oneOf('UCP_VERSION', text(env, 'UCP_VERSION'), versions),
      perAddressPerMinute: integer(env, 'UCP_PER_IP_PER_MINUTE', 1, 1_000_000_000),
      conformance,
      simulationSecret: secret === '' ? undefined : secret,
    },
  };
});
