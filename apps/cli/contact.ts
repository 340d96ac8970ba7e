import { oneOf } from './one-of.ts';

/** Actions on contacts: one file each, in `contact/`. */
export const contactCommand = oneOf('contact', {
  erase: async () => (await import('./contact/erase.ts')).eraseCommand,
});
