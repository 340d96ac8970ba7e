import type { Links } from '@steward/agentic';
import type { Shop } from '@steward/checkout';
import type { TenantContext } from '@steward/sql';
import type { CapabilityName, Version } from './negotiation/versions.ts';

/** A request of an agent that was admitted, and what both sides agreed on. */
export interface Visit {
  readonly context: TenantContext;
  /** The door of the brand, and the agent who has proved to be it. */
  readonly shop: Shop & { readonly agentId: string };
  readonly version: Version;
  readonly active: ReadonlySet<CapabilityName>;
  /** Public address of the door, without a slash at its end. */
  readonly base: string;
  /** Pages of the brand that buyers are led to. */
  readonly links: Links;
  /** The official suite is asking, which wants more than the protocol says. */
  readonly conformance: boolean;
  /** Notes in the log that this agent was refused something, by its code, where the answer is a checkout all the same. */
  readonly noteRefusal: (verdict: string) => Promise<void>;
  /** What a write is repeated under; undefined where nothing was sent. */
  readonly key: string | undefined;
  /** What was sent, as it came: a repetition is the same. */
  readonly sent: string;
}
