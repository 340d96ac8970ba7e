import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { entry, type Entry, selectEntries } from './entry.ts';

const byId = (tenant: string, id: string): Statement =>
  statement(selectEntries('accounting.entry', 'where e.tenant_id = $1::uuid and e.entry_id = $2::uuid'), [tenant, id]);

/** @throws Problem `not_found` (404), for another tenant's entry too */
export async function getEntry(context: TenantContext, id: string): Promise<Entry> {
  const [row] = await context.require(readBooks).read(byId(context.tenant, id));
  if (row === undefined) throw unknownEntry();
  return entry.read(row);
}

/** The same within a verb's transaction. */
export async function entryIn(tx: TenantTransaction, id: string): Promise<Entry> {
  const [row] = await tx.query(byId(tx.context.tenant, id));
  if (row === undefined) throw unknownEntry();
  return entry.read(row);
}

const unknownEntry = (): Error => fail('not_found', 'There is no such journal entry in this tenant.');
