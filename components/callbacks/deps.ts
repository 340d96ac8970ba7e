import type { Decider } from '@steward/access';
import type { Secrets } from '@steward/audit';
import type { TenantContext } from '@steward/sql';
import type { Receiver } from './receivers/receiver.ts';

/** What the verbs of connections and deliveries run with. */
export interface ConnectionPorts {
  /** Of every component of this process. */
  readonly receivers: () => readonly Receiver[];
  /** Where a receiver takes requests. */
  readonly addressOf: (receiver: Receiver) => string;
  readonly secrets: Secrets;
  readonly decider: Pick<Decider, 'requireFor'>;
  /** For deliveries that are due. */
  readonly wake: () => void;
}

export type ContextOf = (tenant: string) => TenantContext;
