import type { Mode } from '@steward/stock';

/** Of the ceiling: what is tried out takes no room of what is sold, and agents, whom nobody counts by their address, none of people. */
export const parts = { live: 0.7, live_agents: 0.2, test: 0.05, test_agents: 0.05 } as const;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as readonly Part[];

/** @param agentId of the cart or checkout, whoever asks */
export const partOf = ({ mode, agentId }: { readonly mode: Mode; readonly agentId: string | null }): Part =>
  agentId === null ? mode : `${mode}_agents`;

/** Of its part: from where on room is made, and how much is left then. */
export const turn = { from: 0.8, to: 0.7 } as const;

/**
 * Of its part, up to where it is filled by what is asked for. The last tenths are for what is small, and of these the last one for whoever has begun: those
 * who fill a shop do not keep others from buying. Agents that the shop does not trust leave a tenth to those that it does.
 */
export const shares = { large: 0.8, fresh: 0.9, begun: 1 } as const;
export const ofTrusted = 0.1;

/** Bytes of a cart or checkout with an answer, such as of twenty lines: one that comes to more than this is large. */
export const small = 50_000;
