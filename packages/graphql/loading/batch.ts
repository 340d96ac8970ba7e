import type { GraphContext } from '../context.ts';

/** Reads many keys at once; a key missing in the answer has no value. */
export type Batch<K, V> = (keys: readonly K[], context: GraphContext) => Promise<ReadonlyMap<K, V>>;
