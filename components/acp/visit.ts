import type { Links } from '@steward/agentic';
import type { Shop } from '@steward/checkout';
import type { TenantContext } from '@steward/sql';

/** A request of an agent that was admitted. */
export interface Visit {
  readonly context: TenantContext;
  /** The door of the brand, and the agent who has proved to be it. */
  readonly shop: Shop & { readonly agentId: string };
  /** What the agent proved itself by: the credential, and whether the request was signed besides. */
  readonly proof: { readonly key_id: string; readonly verdict: 'signed' | 'bearer' };
  /** Public address of the door, without a slash at its end. */
  readonly base: string;
  /** Pages of the brand that buyers are led to. */
  readonly links: Links;
  /** Where the buyer of a session goes on with it. */
  readonly continueUrl: (id: string) => string;
  /** What a write is repeated under; undefined where nothing was sent. */
  readonly key: string | undefined;
  /** What was sent, by its meaning: members in one order. A repetition means the same. */
  readonly meaning: string;
}
