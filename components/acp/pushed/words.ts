export const statuses = ['active', 'paused'] as const;

/** Why a feed is paused: nobody has given its token, a member paused it, the platform will not take anything, or the client that it was made through was shut out, while it was pushing or after it had stopped. */
export const reasons = ['token_missing', 'member', 'refused', 'client_shut_out', 'shut_out_stopped'] as const;
export type Reason = (typeof reasons)[number];
export const shutOut: readonly Reason[] = ['client_shut_out', 'shut_out_stopped'];

/** Why nothing is pushed at the moment although the feed is active. */
export const withholdings = [
  'agent_missing',
  'agent_shut_out',
  'agent_not_trusted',
  'door_closed',
  'door_in_test',
] as const;
export type Withholding = (typeof withholdings)[number];
