import type { Noun } from '@steward/tools';

/** What ids of submissions name. */
export const commerceNouns: readonly Noun[] = [
  {
    noun: 'submission',
    table: 'commerce.submission',
    key: 'submission_id',
    called: `'of ' || to_char(uuid_extract_timestamp(t.submission_id), 'YYYY-MM-DD HH24:MI')`,
    also: { data: 't.data::jsonb' },
  },
];
