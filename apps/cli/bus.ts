import { oneOf } from './one-of.ts';

/** Actions on the event bus: one file each, in `bus/`. */
export const busCommand = oneOf('bus', {
  status: async () => (await import('./bus/status.ts')).statusCommand,
  'dead-letters': async () => (await import('./bus/stuck.ts')).stuckCommand,
  retry: async () => (await import('./bus/retry.ts')).retryCommand,
  acknowledge: async () => (await import('./bus/acknowledge.ts')).acknowledgeCommand,
  replay: async () => (await import('./bus/replay.ts')).replayCommand,
  prune: async () => (await import('./bus/prune.ts')).pruneCommand,
  forget: async () => (await import('./bus/forget.ts')).forgetCommand,
});
