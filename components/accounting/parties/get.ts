import type { TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { partyById, presentParty, unknownParty, type Party } from './party.ts';

/** @throws Problem `not_found` (404), for another tenant's party too */
export async function getParty(context: TenantContext, id: string): Promise<Party> {
  const [row] = await context.require(readBooks).read(partyById(context.tenant, id));
  if (row === undefined) throw unknownParty();
  return presentParty(row);
}
