import { integer, settings } from '@steward/kernel';

export interface AcpSettings {
  readonly perAddressPerMinute: number;
}

const variables = {
  ACP_PER_IP_PER_MINUTE: {
    default: '600',
    says: 'Requests per address and minute, over all doors of the Agentic Commerce Protocol. IPv6 addresses count by /64.',
  },
} as const;

export const acpSettings = settings(variables, (env): { readonly acp: AcpSettings } => ({
  acp: { perAddressPerMinute: integer(env, 'ACP_PER_IP_PER_MINUTE', 1, 1_000_000_000) },
}));
