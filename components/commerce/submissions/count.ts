import { sql, type TenantContext } from '@steward/sql';
import { readSubmissions } from '../permissions.ts';

/** How far submissions were counted. Ids are in the order of time. */
export interface SubmissionCount {
  /** Submissions up to `through`, an id. */
  readonly settled: number;
  readonly through: string;
  /** Those that came since, which may not all be committed. */
  readonly recent: number;
  /** Whether there are more, which the next count continues with. */
  readonly more: boolean;
}

/** Rows looked at in one count. */
const step = 100_000;
/** Longer than any transaction lasts, in milliseconds. */
const unsettled = 300_000;
const first = '00000000-0000-0000-0000-000000000000';

/** Continues counting the stored submissions, erased ones included, where the last count ended: a bounded number at a time. */
export async function countSubmissions(
  context: TenantContext,
  { settled, through }: Pick<SubmissionCount, 'settled' | 'through'> = { settled: 0, through: first },
  now = Date.now(),
): Promise<SubmissionCount> {
  const bound = `${(now - unsettled).toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
  const [row] = await context.require(readSubmissions).read<{
    settled: number;
    recent: number;
    through: string | null;
  }>(sql`
    select (count(*) filter (where submission_id < ${bound}::uuid))::int as settled,
      (count(*) filter (where submission_id >= ${bound}::uuid))::int as recent,
      max(submission_id::text) filter (where submission_id < ${bound}::uuid) as through
    from (select submission_id from commerce.submission
      where tenant_id = ${context.tenant}::uuid and submission_id > ${through}::uuid
      order by submission_id limit ${step}) as next`);
  const found = { settled: 0, recent: 0, through: null, ...row };
  return {
    settled: settled + found.settled,
    through: found.through ?? through,
    recent: found.recent,
    more: found.settled === step,
  };
}
