import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { bankLine } from './line.ts';
import { lineIn, openLine } from './match.ts';

/**
 * Takes an explanation back; the entry stays. Taken back already is success.
 * @throws Problem `not_found` (404), `reconciled` (409)
 */
export const unmatch = operation(
  {
    ...writes,
    area: 'bank',
    name: 'service_unmatch_bank_line',
    input: z.strictObject({ matchId: z.uuid().meta({ description: 'Id of a match of service_list_bank_lines.' }) }),
    answer: bankLine.answer,
    errors: { not_found: null, reconciled: 'matchId' },
  },
  async (scope, { matchId }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [match] = await tx.query<{ line_id: string; undone: boolean }>(sql`
        select line_id, undone_at is not null as undone from accounting.bank_match
        where tenant_id = ${tenant}::uuid and match_id = ${matchId}::uuid`);
      if (match === undefined)
        throw fail('not_found', 'There is no such match: list the bank lines for their matches.');
      if (match.undone) return asItWas(await lineIn(tx, match.line_id));
      await openLine(tx, match.line_id);
      const taken = await takeBack(tx, match.line_id, matchId);
      const line = await lineIn(tx, match.line_id);
      return taken ? line : asItWas(line);
    }),
);

/** Whether it was not taken back before. */
async function takeBack(tx: TenantTransaction, lineId: string, matchId: string): Promise<boolean> {
  const taken = await tx.query(sql`
    update accounting.bank_match set undone_at = clock_timestamp()
    where tenant_id = ${tx.context.tenant}::uuid and match_id = ${matchId}::uuid and undone_at is null returning match_id`);
  if (taken.length === 0) return false;
  tx.record(event('accounting.line.unmatched', { match_id: matchId, line_id: lineId }));
  return true;
}

/**
 * Takes back all that an entry explains.
 * @returns ids of the lines
 * @throws Problem `reconciled` (409)
 */
export async function unmatchEntry(tx: TenantTransaction, entryId: string): Promise<string[]> {
  const matches = await tx.query<{ match_id: string; line_id: string }>(sql`
    select match_id, line_id from accounting.bank_match
    where tenant_id = ${tx.context.tenant}::uuid and entry_id = ${entryId}::uuid and undone_at is null order by match_id`);
  for (const { match_id, line_id } of matches) {
    await openLine(tx, line_id);
    await takeBack(tx, line_id, match_id);
  }
  return [...new Set(matches.map(({ line_id }) => line_id))];
}
