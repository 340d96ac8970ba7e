import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { keepBooks } from '../permissions.ts';
import type { BankLine } from './line.ts';
import { lineIn, openLine } from './match.ts';

/**
 * Takes an explanation back; the entry stays.
 * @throws Problem `not_found` (404), `reconciled` (409)
 */
export async function unmatch(context: TenantContext, matchId: string): Promise<BankLine> {
  return context.require(keepBooks).write(async (tx) => {
    const [match] = await tx.query<{ line_id: string }>(sql`
      select line_id from accounting.bank_match
      where tenant_id = ${context.tenant}::uuid and match_id = ${matchId}::uuid and undone_at is null`);
    if (match === undefined) throw fail('not_found', 'There is no such match, or it was taken back.');
    await openLine(tx, match.line_id);
    const undone = await tx.query(sql`
      update accounting.bank_match set undone_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and match_id = ${matchId}::uuid and undone_at is null returning match_id`);
    if (undone.length > 0) tx.record(event('accounting.line.unmatched', { match_id: matchId, line_id: match.line_id }));
    return lineIn(tx, match.line_id);
  });
}
