import type { Row } from '@steward/sql';
import type { Box } from './box.ts';
import type { TinKind } from './tin.ts';

export const w9Statuses = ['requested', 'received', 'tin_matched', 'failed', 'expired'] as const;
export type W9Status = (typeof w9Statuses)[number];

export const classifications = [
  'individual',
  'c_corporation',
  's_corporation',
  'partnership',
  'trust_estate',
  'llc_c',
  'llc_s',
  'llc_p',
  'other',
] as const;
export type Classification = (typeof classifications)[number];

export interface Taxpayer {
  readonly partyId: string;
  readonly status: W9Status;
  readonly statusOn: string;
  readonly legalName: string | null;
  readonly classification: Classification | null;
  readonly tinKind: TinKind | null;
  /** The rest of the number is sealed. */
  readonly tinLast4: string | null;
  /** Whether payments are reported at all, and in which box. */
  readonly eligible: boolean;
  readonly box: Box;
}

export const presentTaxpayer = (row: Row): Taxpayer => ({
  partyId: String(row['party_id']),
  status: row['status'] as W9Status,
  statusOn: row['status_on'] as string,
  legalName: row['legal_name'] as string | null,
  classification: row['classification'] as Classification | null,
  tinKind: row['tin_kind'] as TinKind | null,
  tinLast4: row['tin_last4'] as string | null,
  eligible: row['eligible'] === true,
  box: row['box'] as Box,
});
