import { command } from './command.ts';

const tenant = { value: '<id>', required: true } as const;
const delivery = { value: '<id>', required: true, help: 'as the list of deliveries names it' } as const;

/** Actions on what providers report. */
export const callbackCommands = {
  status: command({
    help: 'what of it waits, failed, or belongs to no tenant; exit 1 where something needs you',
    options: { json: {} },
    run: async (values, env) => (await import('./callbacks/status.ts')).statusCommand(values, env),
  }),
  retry: command({
    help: 'a delivery that was given up is tried again',
    options: { tenant, delivery },
    run: async (values, env) => (await import('./callbacks/operate.ts')).retryCommand(values, env),
  }),
  reject: command({
    help: 'a delivery is given up',
    options: { tenant, delivery, reason: { value: '"sent by mistake"', required: true } },
    run: async (values, env) => (await import('./callbacks/operate.ts')).rejectCommand(values, env),
  }),
  replay: command({
    help: 'deliveries are carried out again: what is there already stays as it is',
    anyOf: ['delivery', 'from-time'],
    options: {
      tenant,
      delivery: { value: '<id>', repeatable: true, help: 'this one; may be given several times' },
      'from-time': { value: '2026-03-01T12:00:00Z', help: 'all that arrived since then' },
      'to-time': { value: '2026-03-02T00:00:00Z', help: 'and before this time' },
    },
    run: async (values, env) => (await import('./callbacks/operate.ts')).replayCommand(values, env),
  }),
};
