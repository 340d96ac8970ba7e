import type { Decider } from '@steward/access';
import type { Secrets } from '@steward/audit';
import type { Deliveries } from '@steward/deliveries';
import type { TenantScope, TenantTransaction } from '@steward/sql';
import type { Holder } from './hosts/holder.ts';
import type { AddressOf } from './hosts/place.ts';
import type { ReadTexts } from './hosts/records.ts';

/** What verbs of agentic commerce need beside their tenant. */
export interface AgenticPorts {
  /** What the credentials of agents follow from. */
  readonly secret: Uint8Array;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly decider: Pick<Decider, 'requireFor'>;
  /** A brand in use. Undefined: the tenant has none of this id. */
  readonly brandIn: (tx: Pick<TenantTransaction, 'context' | 'query'>, brandId?: string) => Promise<string | undefined>;
  /** What a brand is called. Undefined: the tenant has none of this id. */
  readonly brandName: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<string | undefined>;
  readonly addressOf: AddressOf;
  /** Names of the platform itself. */
  readonly ownHosts: ReadonlySet<string>;
  readonly textsAt: ReadTexts;
  /** Called once another brand has the host of this one. */
  readonly lapsed: (holder: Holder, host: string) => void;
  /** Says where an agent is told of its orders. */
  readonly aim: Deliveries['aim'];
  /** Called once a change of what admits agents of the tenant is committed. */
  readonly changed: (tenant: string) => void;
}
