import { ConfigError, list, oneOf, settings, text } from '@steward/kernel';
import { checkServers } from './hosts/records.ts';

export interface AgenticSettings {
  /** Whether profiles of agents may be on this machine itself. */
  readonly agentProfilesFromLoopback: boolean;
  /** Servers of DNS that are asked whose a host is; none: those of the machine. */
  readonly hostDnsServers: readonly string[];
}

const variables = {
  AGENT_PROFILES_FROM_LOOPBACK: {
    default: '',
    says:
      '`allow` lets agents have their profiles at https addresses of this machine itself, for what is developed on it. Refused with ' +
      'NODE_ENV=production.',
  },
  BRAND_HOST_DNS: {
    default: '',
    says: 'Comma list of DNS servers that say whose the host of a brand is, such as `192.0.2.53`. Default: those of the machine.',
  },
} as const;

export const agenticSettings = settings(variables, (env, { production }): AgenticSettings => {
  const loopback = text(env, 'AGENT_PROFILES_FROM_LOOPBACK');
  const agentProfilesFromLoopback =
    loopback !== '' && oneOf('AGENT_PROFILES_FROM_LOOPBACK', loopback, ['allow']) === 'allow';
  if (agentProfilesFromLoopback && production)
    throw new ConfigError(
      'AGENT_PROFILES_FROM_LOOPBACK=allow lets agents have this machine asked for what is on it. Unset it where NODE_ENV=production.',
    );
  return { agentProfilesFromLoopback, hostDnsServers: checkServers('BRAND_HOST_DNS', list(env, 'BRAND_HOST_DNS')) };
});
