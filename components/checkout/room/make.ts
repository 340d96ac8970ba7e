import { type Row, sql, type Statement, type TenantContext } from '@steward/sql';
import { keepDrafts } from '../permissions.ts';
import { cartBytes, readKept } from './kept.ts';
import { type Part, partNames, parts, turn } from './parts.ts';

/** Rows at most that one turn deletes of carts and checkouts, and that it looks at of answers. */
const most = 500;

export interface Made extends Row {
  readonly o_bytes: bigint;
  readonly o_rows: number;
  readonly o_next: Date | null;
}

/** @param held which stays, whenever it was touched */
export const makeSome = (part: Part, held: readonly string[] = [], from: Date = new Date(0)): Statement => sql`
  select o_bytes, o_rows, o_next from checkout.make_room(${part}, ${most}::int, ${held}::uuid[], ${from}::timestamptz)`;

const lock = (tenant: string): string => `checkout.room ${tenant}`;

/** Waits until the server, where it makes room of the tenant at this moment, has done one turn: what that frees is counted after it. */
export const afterOthers = ({ tenant }: TenantContext): Statement =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${lock(tenant)}, 0))`;

/**
 * Where four fifths of a part of the ceiling are filled: deletes what visitors left longest, untouched for an hour or more, until seven tenths are or
 * nothing else may go.
 * @returns bytes that are kept then
 */
export async function makeRoom(context: TenantContext, ceiling: number): Promise<number> {
  const kept = await readKept(context);
  for (const part of partNames) {
    const all = ceiling * parts[part];
    if (kept[part] > all * turn.from) await lower(context, part, kept[part] - all * turn.to);
  }
  return cartBytes(context);
}

async function lower(context: TenantContext, part: Part, excess: number): Promise<void> {
  let from = new Date(0);
  for (let left = excess; left > 0;) {
    const [made] = await context.require(keepDrafts).write(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock(context.tenant)}, 0))`);
      return tx.query<Made>(makeSome(part, [], from));
    });
    const { o_bytes: bytes = 0n, o_rows: rows = 0, o_next: next = null } = made ?? {};
    left -= Number(bytes);
    if (rows === 0 && (next === null || next.getTime() === from.getTime())) return;
    from = next ?? from;
  }
}
