import type { Batch } from '@steward/graphql';
import { statement } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { party, type Party } from './party.ts';

/** Parties by id, many at once. */
export const partiesById: Batch<string, Party> = async (ids, { tenant }) => {
  const rows = await tenant
    .require(readBooks)
    .read(
      statement(
        `select ${party.columns} from accounting.party t where t.tenant_id = $1::uuid and t.party_id = any ($2::uuid[])`,
        [tenant.tenant, ids],
      ),
    );
  return new Map(rows.map(party.read).map((one) => [one.id, one]));
};
