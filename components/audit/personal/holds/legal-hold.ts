import type { Fixed } from '@steward/contract';
import { newId, timestamp } from '@steward/kernel';
import { type Row, sql, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { event } from '../../grammars/own.ts';
import { searchName } from '../../appending/entry.ts';
import { asPrincipal } from '../../envelope/envelope.ts';
import { holdTenant, readEvents } from '../../policy.ts';

/** While it stands, nothing of the tenant is erased or expires. */
export const hold = z.object({
  holdId: z.uuid(),
  reason: z.string(),
  /** `user:…`, as principals are searched by. */
  placedBy: z.string(),
  placedAt: z.iso.datetime(),
});
export type Hold = Fixed<z.output<typeof hold>>;

interface HoldRow extends Row {
  readonly hold_id: string;
  readonly reason: string;
  readonly placed_by: string;
  readonly placed_ms: bigint;
}

const standing = (tenant: string) => sql`
  select hold_id, reason, placed_by, (extract(epoch from placed_at) * 1000)::bigint as placed_ms
  from audit.legal_hold where tenant_id = ${tenant} and released_at is null`;

const present = (row: HoldRow | undefined): Hold | undefined =>
  row === undefined
    ? undefined
    : {
        holdId: row.hold_id,
        reason: row.reason,
        placedBy: row.placed_by,
        placedAt: timestamp(Number(row.placed_ms)),
      };

/** The standing hold; undefined where there is none. @throws Problem `tenant_forbidden` (403) */
export async function readHold(context: TenantContext): Promise<Hold | undefined> {
  const [row] = await context.require(readEvents).read<HoldRow>(standing(context.tenant));
  return present(row);
}

/**
 * Places a hold and answers it; one that stands already is answered as it is.
 * @param reason 1–500 characters, recorded for ever
 * @throws Problem `insufficient_role` (403)
 */
export async function placeHold(context: TenantContext, reason: string): Promise<Hold> {
  return context.require(holdTenant).write(async (tx) => {
    const holdId = newId();
    const by = searchName(asPrincipal(context.caller));
    const [placed] = await tx.query<{ new: boolean }>(sql`select audit.place_hold(${holdId}, ${reason}, ${by}) as new`);
    if (placed?.new === true) tx.record(event('audit.hold.placed', { hold_id: holdId, reason }));
    const [row] = await tx.query<HoldRow>(standing(context.tenant));
    const placing = present(row);
    if (placing === undefined) throw new Error('a hold that was placed does not stand');
    return placing;
  });
}

/** Releases the standing hold, if there is one; answers its id. @throws Problem `insufficient_role` (403) */
export async function releaseHold(context: TenantContext): Promise<string | undefined> {
  return context.require(holdTenant).write(async (tx) => {
    const by = searchName(asPrincipal(context.caller));
    const [released] = await tx.query<{ hold_id: string }>(
      sql`select hold_id from audit.release_hold(${by}) as released (hold_id)`,
    );
    if (released === undefined) return undefined;
    tx.record(event('audit.hold.released', { hold_id: released.hold_id }));
    return released.hold_id;
  });
}
