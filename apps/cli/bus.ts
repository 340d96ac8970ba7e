import { command } from './command.ts';

const consumer = { value: 'NAME', required: true } as const;
const tenant = { value: '<id>' } as const;

/** Actions on the event bus. */
export const busCommands = {
  status: command({
    help: 'how far each consumer of events is; exit 1 where something waits for you',
    options: { json: {} },
    run: async (values, env) => (await import('./bus/status.ts')).statusCommand(values, env),
  }),
  'dead-letters': command({
    help: 'events that were given up, and those that hold a parked tenant',
    options: { consumer: { value: 'NAME' }, tenant, limit: { value: 'n' }, json: {} },
    run: async (values, env) => (await import('./bus/stuck.ts')).stuckCommand(values, env),
  }),
  retry: command({
    help: 'dead letters are tried again, and parked tenants go on',
    options: { consumer, tenant, event: { value: '<id>' } },
    run: async (values, env) => (await import('./bus/retry.ts')).retryCommand(values, env),
  }),
  acknowledge: command({
    help: 'ends the alarm about events that it skipped',
    options: { consumer },
    run: async (values, env) => (await import('./bus/acknowledge.ts')).acknowledgeCommand(values, env),
  }),
  replay: command({
    help: 'it has events again, from one of these on',
    anyOf: ['from-time', 'from-event', 'from-beginning'],
    options: {
      consumer,
      'from-time': { value: '2026-03-01T12:00:00Z', help: 'what came since then' },
      'from-event': { value: '<id>', help: 'this event and what followed' },
      'from-beginning': { help: 'all that are kept' },
      tenant: { ...tenant, help: 'of this tenant only' },
    },
    run: async (values, env) => (await import('./bus/replay.ts')).replayCommand(values, env),
  }),
  prune: command({
    help: 'removes older events, unless a consumer still needs one',
    options: { before: { value: '2026-03-01', required: true } },
    run: async (values, env) => (await import('./bus/prune.ts')).pruneCommand(values, env),
  }),
  forget: command({
    help: 'drops the place of a consumer that is no more',
    options: { consumer },
    run: async (values, env) => (await import('./bus/forget.ts')).forgetCommand(values, env),
  }),
};
