import type { EventGrammar } from '../grammars/grammar.ts';

const $schema = 'https://json-schema.org/draft/2020-12/schema';
const sequence = { type: 'integer', minimum: 0 };

export const exportedEvents: readonly EventGrammar[] = [
  {
    types: 'audit.events.exported',
    major: 1,
    schema: {
      $schema,
      title: 'An export of the log began; recorded before its first byte left',
      type: 'object',
      properties: {
        format: { enum: ['jsonl', 'csv'] },
        filters: { type: 'object', additionalProperties: { type: 'string' } },
        through_sequence: { ...sequence, description: 'The head when it began: nothing later is in it' },
      },
      required: ['format', 'filters', 'through_sequence'],
      additionalProperties: false,
    },
  },
  {
    types: 'audit.export.finished',
    major: 1,
    schema: {
      $schema,
      title: 'The export that caused this was handed over whole',
      type: 'object',
      properties: {
        count: sequence,
        first_sequence: { ...sequence, description: '0 where nothing was exported' },
        last_sequence: sequence,
        bytes: { type: 'integer', minimum: 0 },
        sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Of the file' },
      },
      required: ['count', 'first_sequence', 'last_sequence', 'bytes', 'sha256'],
      additionalProperties: false,
    },
  },
];
