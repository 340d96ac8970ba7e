import type { Guard } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';

export type MemberGuard = Guard<Admitted>;

export const bySite = z.strictObject({ siteId: z.uuid() });
export const byKey = z.strictObject({ siteId: z.uuid(), keyId: z.uuid() });
export const byForm = z.strictObject({ formId: z.uuid() });
