import { hash } from 'node:crypto';
import { field, nullable, oneOf, text } from '@steward/contract';
import { fail, type PrincipalRef } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { clientOf } from '../guard/tenant.ts';

/** How somebody lost their access. */
export const lost = ['removed', 'suspended'] as const;

/** Who makes something, or has it send elsewhere, and through which client: for the columns `created_by`, `created_by_type` and `created_through`. Null: nobody of the tenant. */
export interface Maker {
  readonly by: string | null;
  readonly byType: PrincipalRef['type'] | null;
  readonly through: string | null;
}

const lock = (tenant: string): string => `appointing ${tenant}`;

/** For shutting a client out: everything made through it is committed by then, or finds it shut out. */
export async function closeClients(tx: TenantTransaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock(tx.context.tenant)}, 0))`);
}

/** For making something through a client: no client is shut out before this transaction ends. Call it before any row is locked. */
export async function holdClients(tx: TenantTransaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${lock(tx.context.tenant)}, 0))`);
}

/**
 * Who makes, in this transaction, what gives data or entry to somebody outside: no client is shut out before it ends. Call it before any row is locked.
 * @throws Problem `conflict` (409) where access has changed since the transaction began: the client may be shut out by now
 */
export async function makerIn(tx: TenantTransaction): Promise<Maker> {
  await holdClients(tx);
  const { tenant, decision } = tx.context;
  const under = decision?.under;
  if (under !== undefined) {
    const [now] = await tx.query<{ version: bigint }>(
      sql`select identity.current_access_version(${tenant}::uuid) as version`,
    );
    if (BigInt(now?.version ?? 0) !== under)
      throw fail('conflict', 'What callers may do in this tenant is being changed at this moment: repeat the call.');
  }
  return makerOf(tx.context);
}

/** The same where nothing comes of its being late: of what is listed, and never suspended by it. */
export const makerOf = (context: TenantContext): Maker => {
  const { type, id } = context.subject;
  return type === 'system'
    ? { by: null, byType: null, through: null }
    : { by: id, byType: type, through: clientOf(context) ?? null };
};

const leftAs = (row: string): string => `identity.left_as(${row}.tenant_id, ${row}.created_by_type, ${row}.created_by)`;

/** The same as members of a shape. @param row the alias of the noun's table */
export const madeBy = (row: string) => ({
  /** The id of the member who made it, or had it send elsewhere last; null where none did, or it was not kept yet. */
  createdBy: nullable(text(`${row}.created_by`)),
  /** The client that they did it through; null where none is known. */
  createdThrough: nullable(text(`${row}.created_through`)),
  /** Where they have no access any more: how they lost it. */
  createdByLeft: nullable(oneOf(lost, leftAs(row))),
});

/** What the log tells of who made something, through which client: a digest, held to the row (`madeAs`). */
export const makerSha256 = ({
  createdBy,
  createdThrough,
}: {
  readonly createdBy: string | null;
  readonly createdThrough: string | null;
}): string => hash('sha256', `${createdBy ?? ''} ${createdThrough ?? ''}`);

/** SQL: the same of a row. */
export const madeAs = (row: string): string =>
  `encode(sha256(convert_to(coalesce(${row}.created_by, '') || ' ' || coalesce(${row}.created_through, ''), 'UTF8')), 'hex')`;

/**
 * Whether somebody who left was shown a secret that is still good.
 * @param knowers SQL: rows of those whom one was shown to, as `tenant_id`, `created_by_type` and `created_by`
 */
export const knownToLeft = (knowers: string) =>
  field(z.boolean(), `exists (select from (${knowers}) k where ${leftAs('k')} is not null)`, (value) => value === true);
