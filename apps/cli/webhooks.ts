import { command } from './command.ts';

/** Actions on webhooks. */
export const webhookCommands = {
  status: command({
    help: 'webhooks of all tenants by status, and which of them fail; exit 1 where one does not send',
    options: { json: {} },
    run: async (values, env) => (await import('./webhooks/status.ts')).statusCommand(values, env),
  }),
};
