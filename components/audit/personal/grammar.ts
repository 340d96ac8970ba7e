import type { EventGrammar } from '../grammars/grammar.ts';

const id = { type: 'string', format: 'uuid' };
const reason = { type: 'string', minLength: 1, maxLength: 500 };

const event = (types: string, title: string, properties: Readonly<Record<string, unknown>>): EventGrammar => ({
  types,
  major: 1,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
});

/** What is recorded of erasures, holds and expiry. None names a subject. */
export const personalEvents: readonly EventGrammar[] = [
  event('audit.subject.erased', 'The keys of a subject were destroyed, and with them its personal data', {
    key_ids: { type: 'array', items: id, minItems: 1 },
    reason,
  }),
  event('audit.hold.placed', 'A legal hold was placed: nothing is erased or expires', { hold_id: id, reason }),
  event('audit.hold.released', 'The legal hold was released', { hold_id: id }),
  event('audit.days.expired', 'The archived rows of days whose time was over were removed', {
    from: { type: 'string', format: 'date' },
    through: { type: 'string', format: 'date' },
    days: { type: 'integer', minimum: 1 },
  }),
];
