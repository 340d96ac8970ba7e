import { command } from './command.ts';

/** Actions on contacts. */
export const contactCommands = {
  erase: command({
    help: 'erases a person: contact, submissions, letters about it that wait',
    anyOf: ['contact', 'submission'],
    options: {
      tenant: { value: '<id>', required: true },
      contact: { value: '<id>', help: 'with all that were merged into it' },
      submission: { value: '<id>', help: 'instead: what one submission says' },
      reason: {
        value: 'requested',
        help: 'consent_withdrawn, objection, no_longer_needed, unlawful, legal_obligation',
      },
    },
    run: async (values, env) => (await import('./contact/erase.ts')).eraseCommand(values, env),
  }),
};
