import type { Batch } from '@steward/graphql';
import { statement } from '@steward/sql';
import { keepBooks } from '../permissions.ts';
import { taxpayer, type Taxpayer } from './taxpayer.ts';

/** What is kept of suppliers' Forms W-9, without their numbers, many at once. */
export const w9ByParty: Batch<string, Taxpayer> = async (ids, { tenant }) => {
  const rows = await tenant
    .require(keepBooks)
    .read(
      statement(
        `select ${taxpayer.columns} from accounting.taxpayer t where t.tenant_id = $1::uuid and t.party_id = any ($2::uuid[])`,
        [tenant.tenant, ids],
      ),
    );
  return new Map(rows.map(taxpayer.read).map((one) => [one.partyId, one]));
};
