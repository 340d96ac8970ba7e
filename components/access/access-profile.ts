import type { Caller } from './caller.ts';
import type { Role } from './roles.ts';
import type { Kind, Pillar, Tier } from './operation.ts';

/** What the tenant's owners have decided about one caller; everything visibility needs that the token does not say. */
export interface AccessProfile {
  readonly role: Role | 'platform';
  readonly persona: string;
  /** Name of the billing tier at this moment; undefined for the platform's own callers. */
  readonly billingTier?: string;
  /** Of the billing tier at this moment: `read`, `write`, `decide`, … */
  readonly entitlements: ReadonlySet<string>;
  /** Tenant tool policy: names that are off for everyone. */
  readonly deniedTools: ReadonlySet<string>;
  /** Counts up with each change of the policy. */
  readonly policyVersion: number;
  /** What the owner granted this agent; undefined: no agent, or nothing narrowed. */
  readonly grant:
    | {
        readonly pillars?: readonly Pillar[];
        readonly tiers?: readonly Tier[];
        readonly kinds?: readonly Kind[];
        readonly tools?: readonly string[];
        /** Shut out by name, where a grant that is missing or empty leaves people their other doors. */
        readonly revoked?: true;
        /** It narrows a client by name: a person's token of that client acts as the agent, by every door. */
        readonly bindsPeople?: true;
      }
    | undefined;
  /** Under which this was read: it holds while that is current. */
  readonly accessVersion: bigint;
  /** Milliseconds since the epoch after which it must be read again (trial end, token expiry). */
  readonly validUntil: number;
}

/** Answers undefined for a caller without access to the tenant, and for a tenant that does not exist. */
export type ReadAccessProfile = (
  caller: Caller,
  tenant: string,
) => AccessProfile | undefined | Promise<AccessProfile | undefined>;
