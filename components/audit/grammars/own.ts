import { defineEvents } from '@steward/kernel';
import { exportedEvents } from '../exports/events.ts';
import { personalEvents } from '../personal/events.ts';
import { sealingEvents } from './archive-events.ts';
import { described } from './described.ts';

/** What is recorded of the log itself. */
export const { grammar, event } = defineEvents('audit', {
  recorded: {
    'audit.chain.opened': described("The tenant's chain begins", {
      genesis: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    }),
    ...exportedEvents,
    ...personalEvents,
    ...sealingEvents,
  },
  published: {},
  reserved: ['audit.**', 'platform.**', 'system.**'],
});

/** Denials are recorded here, whichever door the call came to. */
export const { grammar: toolsGrammar, event: toolsEvent } = defineEvents('tools', {
  recorded: {
    'tools.call.denied': described(
      'A member called a tool that is not open to them',
      { tool: { type: 'string' }, code: { type: 'string' }, surface: { type: 'string' } },
      { optional: ['surface'], open: true },
    ),
    'tools.calls.denied': described('Denied calls of one principal beyond those recorded one by one', {
      count: { type: 'integer', minimum: 1 },
      since: { type: 'string', format: 'date-time' },
      until: { type: 'string', format: 'date-time' },
    }),
  },
  published: {},
  reserved: ['tools.**'],
});
