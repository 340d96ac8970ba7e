import type { Agentic, AgentSale, Arrived, Links, OrderTelling } from '@steward/agentic';
import type { Consumer } from '@steward/bus';
import type { SessionDeps } from '@steward/checkout';
import type { Addresses, ClientAddress, Log } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Payments } from '@steward/orders';
import type { Tenancy } from '@steward/sql';
import type { Mode } from '@steward/stock';
import type { UcpSettings } from './settings.ts';

/** A brand that sells through this protocol. */
export interface OpenDoor {
  readonly tenant: string;
  readonly brandId: string;
  readonly mode: Mode;
  readonly links: Links;
}

/** The same, as it was come to. */
export interface Door extends OpenDoor {
  /** Its public address, as who asks has it, without a slash at its end. */
  readonly at: string;
}

export type { Arrived };

/** Who asks, as far as it was proved, and what they say of themselves. */
export interface Agent {
  readonly id: string;
  readonly profile: {
    readonly url: string;
    readonly version: unknown;
    readonly capabilities: Readonly<Record<string, unknown>>;
  };
  /** Of the key that signed the request; null: nothing did. */
  readonly keyId: string | null;
  readonly trusted: boolean;
}

/** What the foundation of all protocols for agents does here: whose door it is, who asks, and what the brand signs with. */
export interface Agents {
  /** Undefined: no brand of this id sells through this protocol. */
  doorOf(brandId: string, protocol: 'ucp'): Promise<OpenDoor | undefined>;
  /** What the brand is called. */
  nameOf(door: OpenDoor): Promise<string | undefined>;
  /** @throws Problem by the codes of the protocol: of the profile, the signature, or trust */
  admit(door: OpenDoor, arrived: Arrived, plain?: boolean): Promise<Agent>;
  /** Notes in the log that something was refused to an agent that was let in. */
  noteRefusal: Agentic['noteRefusal'];
  /** Public keys of the brand, as JSON Web Keys. */
  keysOf(door: OpenDoor): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Fields that sign an answer in the name of the brand; undefined where it has no key. */
  sign(
    door: OpenDoor,
    answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
  ): Promise<Readonly<Record<string, string>> | undefined>;
  /** Follows what becomes of orders, and has the agents that placed them told. */
  orderTeller<Sale extends AgentSale>(telling: OrderTelling<Sale>): Consumer;
}

export interface UcpPorts {
  readonly config: { readonly ucp: UcpSettings };
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly tenancy: Tenancy;
  readonly clientAddress: ClientAddress;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly agentic: Agents;
  readonly checkout: { readonly sessions: SessionDeps };
  readonly orders: { readonly payments: Payments };
}
