import type { TenantContext, TenantTransaction } from '@steward/sql';
import type { Adapter, Item } from '../adapters/adapter.ts';

/** As much of a connection as its receiver is told. */
export interface Connected {
  readonly id: string;
  readonly provider: string;
  readonly account: string | null;
  readonly live: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** Where a route is: at the address of the component that owns its effect. */
export type Place = 'portal' | 'accounting' | 'commerce';

/** A delivery of a tenant, as its effect is told of it. */
export interface Delivery extends Omit<Item, 'deliveryId'> {
  /** Ours. */
  readonly id: string;
  readonly receiver: string;
  readonly provider: string;
  readonly providerDeliveryId: string;
  /** The connection that it came by; null where the deployment has the secret and the receiver found the tenant. */
  readonly connectionId: string | null;
  /** When it arrived: RFC 3339. */
  readonly receivedAt: string;
}

/** What a delivery became, by the nouns of components: `{ kind: 'order', id }`. */
export interface Became {
  readonly kind: string;
  readonly id: string;
}

/**
 * What a delivery does. `fetch`, where there is one, runs outside of any transaction, may be repeated, and answers what the provider says
 * now. `apply` runs in the transaction that also settles the delivery, so its effect happens exactly once, also after a crash; what it
 * records and publishes has the event of the delivery as its cause, and that event's correlation.
 */
export interface Projection<F = undefined> {
  fetch?(context: TenantContext, delivery: Delivery, signal: AbortSignal): Promise<F>;
  /** Empty: it was looked at, and nothing is to be done. @throws Problem, which is retried unless it is a `NeverApplies` */
  apply(tx: TenantTransaction, delivery: Delivery, fetched: F): Promise<readonly Became[]>;
}

/** Thrown by a projection where no repetition will help: the delivery waits for a person at once. */
export class NeverApplies extends Error {
  override readonly name = 'NeverApplies';
}

/** A route of providers, and what becomes of what they say. A component contributes its own (`Part.receivers`). */
export interface Receiver {
  /** `<component>.<route>`, such as `accounting.card_payments`: stable, deliveries are kept under it. */
  readonly name: string;
  readonly at: Place;
  /** Under the component's address. */
  readonly path: `/webhooks/${string}`;
  readonly summary: string;
  /** The first one is taken where none is recognised. */
  readonly adapters: readonly Adapter[];
  /** Whether connections of tenants may be made for it; if not, its deliveries are the deployment's. */
  readonly connectable: boolean;
  /** Secrets beside the signing one that a connection has, by name, in people's words: `{ apiKey: 'Restricted key, rk_…' }`. */
  credentials?(provider: string): Readonly<Record<string, string>>;
  /** Names of those of them without which it takes requests. */
  optional?(provider: string): readonly string[];
  /** Settings beside the adapter's. */
  settings?(provider: string): Readonly<Record<string, string>>;
  /** Names of those of them that it cannot do without. */
  needs?(provider: string): readonly string[];
  /** Names of settings that say whose account it is: once given, they stay. */
  fixed?(provider: string): readonly string[];
  /** Why a secret or setting of this name cannot be one of such a connection, in a sentence: a key of the other mode. Undefined: it may be. */
  unfit?(connection: Pick<Connected, 'provider' | 'live'>, name: string, given: string): string | undefined;
  /**
   * Whose account the given secrets are of, as the provider itself says: from then on, what the deployment's secret signs about that account is this
   * connection's. Undefined where they do not say it. @throws Problem `provider_refused` (422), `unavailable` (503)
   */
  accountOf?(connection: Connected, secrets: Readonly<Record<string, string>>): Promise<string | undefined>;
  /** Of the deployment, current and previous, by the adapter's name. Empty: connections have theirs, or the route is not configured. */
  secrets(adapter: string): readonly DeploymentSecret[];
  /** Refuses what does not belong on this route although it is genuine. @throws Problem `callback_refused` (400) */
  admit?(item: Item): void;
  /** Whose a delivery is that came with the deployment's secret; undefined: the connection of the item's account, where there is one. */
  tenantOf?(item: Item): Promise<string | undefined>;
  /** By topic; the first whose `topics` has it. A topic that none has is acknowledged, recorded and not projected. */
  readonly projections: readonly { readonly topics: readonly string[]; readonly projection: Projection<never> }[];
}

export interface DeploymentSecret {
  readonly secret: string;
  readonly settings: Readonly<Record<string, string>>;
  /** What it is for, where the scheme has modes. */
  readonly live?: boolean;
}

export type { Adapter, Item };
