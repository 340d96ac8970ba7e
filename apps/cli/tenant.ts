import { oneOf } from './one-of.ts';

/** Actions on tenants: one file each, in `tenant/`. */
export const tenantCommand = oneOf('tenant', {
  tier: async () => (await import('./tenant/tier.ts')).tierCommand,
});
