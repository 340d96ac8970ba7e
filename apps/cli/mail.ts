import { oneOf } from './one-of.ts';

/** Actions on the letters: one file each, in `mail/`. */
export const mailCommand = oneOf('mail', {
  status: async () => (await import('./mail/status.ts')).statusCommand,
  bounced: async () => (await import('./mail/bounced.ts')).bouncedCommand,
  retry: async () => (await import('./mail/retry.ts')).retryCommand,
});
