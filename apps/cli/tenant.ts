import { command } from './command.ts';

/** Actions on tenants. */
export const tenantCommands = {
  list: command({
    help: 'id, day of signup, tier and name of tenants, the oldest first',
    options: {
      name: { value: 'fjord', help: 'those whose name contains it' },
      limit: { value: '50', help: 'how many, 1000 at most' },
      after: { value: '<id>', help: 'those after that one' },
      json: {},
    },
    run: async (values, env) => (await import('./tenant/list.ts')).listCommand(values, env),
  }),
  tier: command({
    help: 'moves a tenant to a billing tier, at once',
    options: {
      tenant: { value: '<id>', required: true },
      tier: { value: 'community', required: true, help: 'free, community, or one of PLANS' },
    },
    run: async (values, env) => (await import('./tenant/tier.ts')).tierCommand(values, env),
  }),
};
