import { described } from '../grammars/described.ts';

const sequence = { type: 'integer', minimum: 0 } as const;

export const exportedEvents = {
  'audit.events.exported': described('An export of the log began; recorded before its first byte left', {
    format: { enum: ['jsonl', 'csv'] },
    filters: { type: 'object', additionalProperties: { type: 'string' } },
    through_sequence: { ...sequence, description: 'The head when it began: nothing later is in it' },
  }),
  'audit.export.finished': described('The export that caused this was handed over whole', {
    count: sequence,
    first_sequence: { ...sequence, description: '0 where nothing was exported' },
    last_sequence: sequence,
    bytes: { type: 'integer', minimum: 0 },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Of the file' },
  }),
};
