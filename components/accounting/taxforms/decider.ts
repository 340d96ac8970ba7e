import type { TenantContext } from '@steward/sql';

/** @throws Problem unless the caller is a person who could decide on pending actions, with a login just made */
export type Decider = (context: TenantContext) => void;
