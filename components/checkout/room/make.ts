import { sql, type TenantContext } from '@steward/sql';
import { keepDrafts } from '../permissions.ts';
import { cartBytes } from './bytes.ts';

/** Rows of each kind in one transaction. */
const most = 5_000;

/**
 * Deletes what visitors left longest, untouched for an hour or more, until no more than `target` bytes are kept or nothing else may go.
 * @returns bytes that are kept then
 */
export async function makeRoom(context: TenantContext, target: number): Promise<number> {
  for (;;) {
    const bytes = await cartBytes(context);
    if (bytes <= target) return bytes;
    const [row] = await context
      .require(keepDrafts)
      .write(async (tx) => tx.query<{ gone: number }>(sql`select checkout.make_room(${most}::int) as gone`));
    if ((row?.gone ?? 0) === 0) return bytes;
  }
}
