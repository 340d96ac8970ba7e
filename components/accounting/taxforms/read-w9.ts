import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { keepBooks } from '../permissions.ts';
import { presentTaxpayer, type Taxpayer } from './taxpayer.ts';
import { openTin } from './tin.ts';

/** @throws Problem `not_found` (404) where nothing was asked of the supplier yet */
export async function readW9(context: TenantContext, partyId: string): Promise<Taxpayer> {
  const [row] = await context.require(keepBooks).read(sql`
    select party_id, status, status_on::text as status_on, legal_name, classification, tin_kind, tin_last4, eligible, box
    from accounting.taxpayer where tenant_id = ${context.tenant}::uuid and party_id = ${partyId}::uuid`);
  if (row === undefined) throw fail('not_found', 'There is no W-9 of this supplier.');
  return presentTaxpayer(row);
}

/**
 * The whole number, for the form that is filed. Who looked is in the audit log.
 * @throws Problem `not_found` (404)
 */
export async function revealTin(context: TenantContext, secret: Uint8Array, partyId: string): Promise<string> {
  return context.require(keepBooks).write(async (tx) => {
    const [row] = await tx.query<{ tin_sealed: Buffer | null }>(sql`
      select tin_sealed from accounting.taxpayer where tenant_id = ${context.tenant}::uuid and party_id = ${partyId}::uuid`);
    if (row?.tin_sealed === undefined || row.tin_sealed === null)
      throw fail('not_found', 'No taxpayer id is kept of this supplier.');
    const digits = openTin(secret, context.tenant, partyId.toLowerCase(), row.tin_sealed);
    tx.record(event('accounting.tin.revealed', { party_id: partyId }));
    return digits;
  });
}
