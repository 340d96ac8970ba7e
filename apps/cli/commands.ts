import { auditCommands } from './audit.ts';
import { busCommands } from './bus.ts';
import { callbackCommands } from './callbacks.ts';
import { command, type Commands } from './command.ts';
import { contactCommands } from './contact.ts';
import { mailCommands } from './mail.ts';
import { tenantCommands } from './tenant.ts';
import { webhookCommands } from './webhooks.ts';

/** Everything that `steward` does. */
export const commands: Commands = {
  token: command({
    help: 'a token for the running instance',
    anyOf: ['user', 'client'],
    options: {
      user: { value: 'alice@example.com', help: 'of that person' },
      client: { value: 'ci-bot', help: 'of a machine' },
      agent: { value: 'assistant-1', help: 'with --user: an agent acting for that person' },
      approver: { help: 'with --user: may decide pending actions, and appoint' },
      scope: { value: '"openid mcp:read"', help: 'instead of the default scopes' },
      tenant: { value: '<id>', help: 'bound to one tenant' },
      lifetime: { value: '3600', help: 'seconds' },
      service: { value: 'NAME', takes: [], help: 'a platform service token and its SERVICE_TOKENS entry' },
    },
    run: async (values, env) => (await import('./token.ts')).tokenCommand(values, env),
  }),
  audit: auditCommands,
  bus: busCommands,
  callbacks: callbackCommands,
  mail: mailCommands,
  webhooks: webhookCommands,
  contact: contactCommands,
  tenant: tenantCommands,
  demo: command({
    help: 'the whole journey against a throw-away instance',
    run: async (_values, env) => (await import('./demo/demo.ts')).demoCommand(env),
  }),
  seed: command({
    help: 'fills a new development tenant with a small business and a year of its past',
    options: {
      user: { value: 'alice@example.com', help: 'whose business it is' },
      orders: { value: '300', help: 'how many orders, over twelve months' },
      products: { value: '60', help: 'how many products, 60 at most' },
      seed: { value: '1', help: 'another number makes another business' },
    },
    run: async (values, env) => (await import('./seed/seed.ts')).seedCommand(values, env),
  }),
  migrate: command({
    help: 'brings DATABASE_OWNER_URL to the present schema',
    options: {
      roles: { value: 'steward', help: 'only the roles that a backup of the database of that name needs' },
    },
    run: async (values, env) => (await import('./migrate.ts')).migrateCommand(values, env),
  }),
};
