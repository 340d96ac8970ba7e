import { command } from './command.ts';

/** Actions on tenants. */
export const tenantCommands = {
  tier: command({
    help: 'moves a tenant to a billing tier, at once',
    options: {
      tenant: { value: '<id>', required: true },
      tier: { value: 'community', required: true, help: 'free, community, or one of PLANS' },
    },
    run: async (values, env) => (await import('./tenant/tier.ts')).tierCommand(values, env),
  }),
};
