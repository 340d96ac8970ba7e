import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { entry, type Entry, selectEntries } from './entry.ts';

const byId = (tenant: string, id: string): Statement =>
  statement(selectEntries('accounting.entry', 'where e.tenant_id = $1::uuid and e.entry_id = $2::uuid'), [tenant, id]);

/** @throws Problem `not_found` (404), for another tenant's entry too */
export const getEntry = operation(
  {
    ...reads,
    area: 'books',
    name: 'service_get_journal_entry',
    input: z.strictObject({ id: z.uuid().meta({ description: 'From service_list_journal_entries.' }) }),
    answer: entry.answer,
    errors: ['not_found'],
  },
  async (scope, { id }) => {
    const [row] = await scope.read(byId(scope.context.tenant, id));
    if (row === undefined) throw unknownEntry();
    return entry.read(row);
  },
);

/** The same within a verb's transaction. */
export async function entryIn(tx: TenantTransaction, id: string): Promise<Entry> {
  const [row] = await tx.query(byId(tx.context.tenant, id));
  if (row === undefined) throw unknownEntry();
  return entry.read(row);
}

const unknownEntry = (): Error =>
  fail('not_found', 'There is no such journal entry in this tenant: list the entries for their ids.');
