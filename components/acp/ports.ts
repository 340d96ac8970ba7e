import type { Decider } from '@steward/access';
import type { Agentic, OpenDoor } from '@steward/agentic';
import type { Audit } from '@steward/audit';
import type { SessionDeps } from '@steward/checkout';
import type { DeliveriesSettings } from '@steward/deliveries';
import type { Identity } from '@steward/identity';
import type { Addresses, ClientAddress, Log } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Tenancy } from '@steward/sql';
import type { Catalogue } from '@steward/tools';
import type { FeedPorts } from './pushed/ports.ts';
import type { Timings } from './pushed/timings.ts';
import type { AcpSettings } from './settings.ts';

export type { Arrived } from '@steward/agentic';

/** A brand that sells through this protocol. */
export interface Door extends OpenDoor {
  /** Its public address, as who asks has it, without a slash at its end. */
  readonly at: string;
}

/** What the foundation of both protocols for agents does here: whose door it is, and who asks. */
export type Agents = Pick<Agentic, 'doorOf' | 'nameOf' | 'admitBearer' | 'noteRefusal' | 'orderTeller' | 'openTo'>;

export interface AcpPorts extends Pick<FeedPorts, 'brandName'> {
  /** Feeds are pushed by the rules of webhooks: to which ports, and whether to this machine. */
  readonly config: { readonly acp: AcpSettings } & DeliveriesSettings;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly audit: Pick<Audit, 'secrets'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly decider: Pick<Decider, 'requireFor'>;
  readonly clientAddress: ClientAddress;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly agentic: Agents;
  readonly checkout: { readonly sessions: SessionDeps };
  /** For tests; what is not given is as usual. */
  readonly timings?: Partial<Timings>;
}
