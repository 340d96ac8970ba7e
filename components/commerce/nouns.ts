import type { Noun } from '@steward/tools';

/** What ids of submissions name. */
export const commerceNouns: readonly Noun[] = [
  {
    noun: 'submission',
    table: 'commerce.submission',
    key: 'submission_id',
    // A UUIDv7 begins with its milliseconds; before PostgreSQL 17 no function reads them.
    called: `'of ' || to_char(to_timestamp(('x' || translate(left(t.submission_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0), 'YYYY-MM-DD HH24:MI')`,
    also: { data: 't.data::jsonb' },
  },
];
