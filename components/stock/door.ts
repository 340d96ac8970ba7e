import type { Guard } from '@steward/contract';
import type { Admitted } from '@steward/identity';

export type MemberGuard = Guard<Admitted>;
