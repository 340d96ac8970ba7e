import { command } from './command.ts';

/** Actions on the letters. */
export const mailCommands = {
  status: command({
    help: 'letters that wait, were sent or were given up, over all tenants',
    options: { json: {} },
    run: async (values, env) => (await import('./mail/status.ts')).statusCommand(values, env),
  }),
  retry: command({
    help: 'letters given up in the last seven days are due again',
    options: {
      tenant: { value: '<id>' },
      reason: { value: 'smtp_550', help: 'those given up for this reason only' },
    },
    run: async (values, env) => (await import('./mail/retry.ts')).retryCommand(values, env),
  }),
  bounced: command({
    help: 'a letter came back: its tenant is told, and the address left alone',
    word: '<Message-ID>',
    run: async (_values, env, word) => (await import('./mail/bounced.ts')).bouncedCommand(word, env),
  }),
};
