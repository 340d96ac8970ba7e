import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { reads } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { taxpayer } from './taxpayer.ts';
import { openTin } from './tin.ts';

/** @throws Problem `not_found` (404) where nothing was asked of the supplier yet */
export const readW9 = operation(
  {
    ...reads,
    requires: keepBooks,
    area: 'reports',
    name: '',
    input: z.strictObject({ partyId: z.uuid() }),
    answer: taxpayer.answer,
    errors: ['not_found'],
  },
  async (scope, { partyId }) => {
    const [row] = await scope.read(
      statement(
        `select ${taxpayer.columns} from accounting.taxpayer t where t.tenant_id = $1::uuid and t.party_id = $2::uuid`,
        [scope.context.tenant, partyId],
      ),
    );
    if (row === undefined) throw fail('not_found', 'This supplier has no Form W-9: record one first.');
    return taxpayer.read(row);
  },
);

/**
 * The whole number, for the form that is filed. Who looked is in the audit log.
 * @throws Problem `not_found` (404)
 */
export async function revealTin(context: TenantContext, secret: Uint8Array, partyId: string): Promise<string> {
  return context.require(keepBooks).write(async (tx) => {
    const [row] = await tx.query<{ tin_sealed: Buffer | null }>(sql`
      select tin_sealed from accounting.taxpayer where tenant_id = ${context.tenant}::uuid and party_id = ${partyId}::uuid`);
    if (row?.tin_sealed === undefined || row.tin_sealed === null)
      throw fail('not_found', 'This supplier has no stored taxpayer id: record its Form W-9 first.');
    const digits = openTin(secret, context.tenant, partyId.toLowerCase(), row.tin_sealed);
    tx.record(event('accounting.tin.revealed', { party_id: partyId }));
    return digits;
  });
}
