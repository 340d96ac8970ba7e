import type { IncomingHttpHeaders } from 'node:http';
import type { TenantContext } from '@steward/sql';

/** What every resolver is handed: who acts in which tenant, and nothing else of the door. */
export interface GraphContext {
  readonly tenant: TenantContext;
  readonly request: { readonly id: string; readonly headers: IncomingHttpHeaders };
  /**
   * The value for `key`, read together with all other keys that this request asks of the same `batch`, and once.
   * `batch` must be a constant of its module: its identity is what gathers the keys.
   */
  load<K, V>(batch: Batch<K, V>, key: K): Promise<V | undefined>;
}

/** Reads many keys at once; a key missing in the answer has no value. */
export type Batch<K, V> = (keys: readonly K[], context: GraphContext) => Promise<ReadonlyMap<K, V>>;
