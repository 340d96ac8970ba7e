import type { Batch } from '@steward/graphql';
import { sql } from '@steward/sql';
import { keepBooks } from '../permissions.ts';
import { presentTaxpayer, type Taxpayer } from './taxpayer.ts';

/** What is kept of suppliers' Forms W-9, without their numbers, many at once. */
export const w9ByParty: Batch<string, Taxpayer> = async (ids, { tenant }) => {
  const rows = await tenant.require(keepBooks).read(sql`
    select party_id, status, status_on::text as status_on, legal_name, classification, tin_kind, tin_last4, eligible, box
    from accounting.taxpayer where tenant_id = ${tenant.tenant}::uuid and party_id = any (${ids}::uuid[])`);
  return new Map(rows.map(presentTaxpayer).map((one) => [one.partyId, one]));
};
