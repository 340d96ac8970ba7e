import { createHash } from 'node:crypto';
import { normalized } from '@steward/kernel';
import { sql, type SqlPool, type TenantTransaction } from '@steward/sql';
import type { SignupRequest } from './request.ts';

export interface KeptSignup {
  readonly fingerprint: Buffer;
  readonly document: string;
}

/** SHA-256 of the canonical body. The key is not part of it. */
export function fingerprintOf(request: SignupRequest): Buffer {
  const { organizationName, defaultCurrency, fiscalYearStartMonth, persona, language } = request;
  const given = language === undefined ? [] : [language];
  return createHash('sha256')
    .update(JSON.stringify([organizationName, defaultCurrency, fiscalYearStartMonth, persona, ...given]))
    .digest();
}

/** How an organization's name is compared: "the same organization" is trimmed and case-folded. */
export const foldName = (name: string): string => normalized(name, 'NFC').toLowerCase();

export async function findOwned(
  on: SqlPool | TenantTransaction,
  owner: string,
  folded: string,
): Promise<string | undefined> {
  const [row] = await on.query<{ tenant: string | null }>(sql`select portal.find_owned(${owner}, ${folded}) as tenant`);
  return row?.tenant ?? undefined;
}

export async function findSignup(tx: TenantTransaction, owner: string, key: string): Promise<KeptSignup | undefined> {
  const [row] = await tx.query<{ fingerprint: Buffer; document: string }>(
    sql`select fingerprint, document from portal.find_signup(${owner}, ${key})`,
  );
  return row;
}

export async function createdToday(tx: TenantTransaction, owner: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`select portal.created_today(${owner}) as count`);
  return row?.count ?? 0;
}

export async function keepSignup(
  tx: TenantTransaction,
  kept: { owner: string; key: string; request: SignupRequest; created: boolean; document: string },
): Promise<void> {
  await tx.query(sql`select portal.keep_signup(${kept.owner}, ${kept.key}, ${fingerprintOf(kept.request)}::bytea,
    ${tx.context.tenant}::uuid, ${kept.created}::boolean, ${kept.document}, ${foldName(kept.request.organizationName)})`);
}
