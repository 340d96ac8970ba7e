import { dictionary } from '@steward/kernel';

/** What a tenant may keep. `Number.POSITIVE_INFINITY`: without a limit. */
export interface Quotas {
  /** Bytes of files attached, those that were removed left out. */
  readonly attachmentBytes: number;
  /** Bytes of what providers sent by accounts of its own, with a kilobyte for each delivery, whose row stays. */
  readonly callbackBytes: number;
  /** Submissions stored. It is only shown, and no submission is refused for it: a form works whatever its owner pays. */
  readonly submissions: number;
  /** Bytes of carts and checkouts without an order, and of what requests for them were answered. It is only shown: a shop sells whatever its owner pays. */
  readonly cartBytes: number;
  /** Events in the audit log. Outside producers are refused beyond it; what the product itself does is always recorded. */
  readonly events: number;
  /** Addresses that events are sent to. */
  readonly webhooks: number;
  /** Files and statements taken at the same time, in each process. */
  readonly uploads: number;
}

/** What visitors fill, which no tier stops: the operator does, at as much as this. */
export type Ceilings = Readonly<Record<'submissions' | 'cartBytes', number>>;

const gigabyte = 2 ** 30;

const unpaid: Quotas = {
  attachmentBytes: 10 * gigabyte,
  callbackBytes: 2 * gigabyte,
  submissions: 1_000_000,
  cartBytes: 2 * gigabyte,
  events: 10_000_000,
  webhooks: 20,
  uploads: 16,
};
const ample: Quotas = {
  attachmentBytes: 100 * gigabyte,
  callbackBytes: 50 * gigabyte,
  submissions: 20_000_000,
  cartBytes: 20 * gigabyte,
  events: 200_000_000,
  webhooks: 200,
  uploads: 64,
};

const byTier = dictionary<Quotas>({ free: unpaid, trial: unpaid });

/** The quotas of a tier: the one place with these numbers. */
export const quotasOf = (tier: string): Quotas => byTier[tier] ?? ample;
