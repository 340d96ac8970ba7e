import type { Agentic, OpenDoor } from '@steward/agentic';
import type { SessionDeps } from '@steward/checkout';
import type { Addresses, ClientAddress, Log } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Tenancy } from '@steward/sql';
import type { AcpSettings } from './settings.ts';

export type { Arrived } from '@steward/agentic';

/** A brand that sells through this protocol. */
export interface Door extends OpenDoor {
  /** Its public address, as who asks has it, without a slash at its end. */
  readonly at: string;
}

/** What the foundation of both protocols for agents does here: whose door it is, and who asks. */
export type Agents = Pick<Agentic, 'doorOf' | 'admitBearer' | 'orderTeller'>;

export interface AcpPorts {
  readonly config: { readonly acp: AcpSettings };
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly tenancy: Tenancy;
  readonly clientAddress: ClientAddress;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly agentic: Agents;
  readonly checkout: { readonly sessions: SessionDeps };
}
