import type { Movement } from '../feeds/movement.ts';

export const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export interface SaidMovement extends Movement {
  /** ISO 4217. */
  readonly currency: string;
}

/** Money that leaves a provider for a bank, or comes from there where it is below nothing. */
export interface SaidPayout {
  readonly id: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** `YYYY-MM-DD` of when it is there. */
  readonly day: string;
  readonly status: PayoutStatus;
  /** Whether the provider says of which movements it is made. */
  readonly itemized: boolean;
  /** Whether all of those are among the movements. */
  readonly complete: boolean;
}

/** What a provider says now of a resource. Said twice, or together with what it said of another, it says the same. */
export interface Said {
  readonly movements: readonly SaidMovement[];
  readonly payouts: readonly SaidPayout[];
  /** Ids of movements that are no more, such as a charge that was voided before it was settled. What was paid out stays. */
  readonly gone?: readonly string[];
  /** Kept without a line, whatever their amount, so that what comes later finds them. One that is known stays as it is. */
  readonly noted?: readonly SaidMovement[];
  /** Where this movement is known, nothing is gone and nothing is noted. */
  readonly unless?: string;
}

export const nothingSaid: Said = { movements: [], payouts: [] };
