import type { Decider } from '@steward/access';
import type { Secrets } from '@steward/audit';
import type { Judging } from '@steward/deliveries';
import type { TenantScope } from '@steward/sql';

/** What verbs of pushed feeds need beside their tenant. */
export interface FeedPorts extends Judging {
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly decider: Pick<Decider, 'requireFor'>;
  /** What a brand is called. Undefined: the tenant has none of this id. */
  readonly brandName: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<string | undefined>;
  /** Called once there is something to push, or a feed is another one than before. */
  readonly changed: () => void;
}
