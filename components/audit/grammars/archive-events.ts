import { described } from './described.ts';

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const sequence = { type: 'integer', minimum: 1 } as const;
const day = { type: 'string', format: 'date' } as const;

/** What sealing records in the chain of a tenant. */
export const sealingEvents = {
  'audit.chain.restored': described(
    'The database was restored from a backup: the archive holds rows that the chain has lost',
    {
      incarnation: { type: 'integer', minimum: 2 },
      restored_sequence: { ...sequence, description: 'The last row the restored chain still had.' },
      restored_row_hash: hash,
      archived_sequence: { ...sequence, description: 'The last row in the archive; those between are lost here.' },
      archived_from: { ...day, description: 'The first archived day that was taken over.' },
      archived_through: day,
    },
  ),
  'audit.archive.claimed': described(
    "The archive was taken over, on an operator's command: from another database, or for one that lacks rows",
    {
      number: { ...sequence, description: 'Of the claim in the archive.' },
      incarnation: sequence,
      reason: { type: 'string', minLength: 1, maxLength: 500 },
      goes_on_from: {
        type: 'integer',
        minimum: 0,
        description: 'The last row that is here, where hourly checkpoints have seen more: those behind it were lost.',
      },
    },
    { optional: ['goes_on_from'] },
  ),
};
