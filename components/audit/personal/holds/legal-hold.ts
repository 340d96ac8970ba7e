import { operation } from '@steward/access';
import { field, id, moment, shape, text } from '@steward/contract';
import { newId } from '@steward/kernel';
import { sql, statement, type Statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../../grammars/own.ts';
import { searchName } from '../../appending/entry.ts';
import { asPrincipal } from '../../envelope/envelope.ts';
import { holds, reads } from '../../operations.ts';
import { recordedReason } from '../reason.ts';

/** Under a hold, nothing of the tenant is erased or expires. Of `audit.legal_hold` named `h`. */
const hold = shape('h', {
  holdId: id(),
  reason: text(),
  /** `user:…`, as principals are searched by. */
  placedBy: text(),
  placedAt: field(z.iso.datetime(), undefined, moment().read),
});

const standing = (tenant: string): Statement =>
  statement(`select ${hold.columns} from audit.legal_hold h where h.tenant_id = $1 and h.released_at is null`, [
    tenant,
  ]);

/** The standing hold; null where there is none. @throws Problem `tenant_forbidden` (403) */
export const readHold = operation(
  { ...reads, input: z.strictObject({}), answer: z.object({ hold: hold.answer.nullable() }) },
  async (scope) => {
    const [row] = await scope.read(standing(scope.context.tenant));
    return { hold: row === undefined ? null : hold.read(row) };
  },
);

/** Places a hold and answers it; an existing hold stays as it is. @throws Problem `insufficient_role` (403) */
export const placeHold = operation(
  { ...holds, input: z.strictObject({ reason: recordedReason }), answer: z.object({ hold: hold.answer }) },
  async ({ context, write }, { reason }) =>
    write(async (tx) => {
      const holdId = newId();
      const by = searchName(asPrincipal(context.caller));
      const [placed] = await tx.query<{ new: boolean }>(
        sql`select audit.place_hold(${holdId}, ${reason}, ${by}) as new`,
      );
      if (placed?.new === true) tx.record(event('audit.hold.placed', { hold_id: holdId, reason }));
      const [row] = await tx.query(standing(context.tenant));
      if (row === undefined) throw new Error('a hold that was placed does not stand');
      return { hold: hold.read(row) };
    }),
);

/** Releases the standing hold, if there is one. @throws Problem `insufficient_role` (403) */
export const releaseHold = operation(
  { ...holds, input: z.strictObject({}), answer: z.object({ releasedId: z.uuid().nullable() }) },
  async ({ context, write }) =>
    write(async (tx) => {
      const by = searchName(asPrincipal(context.caller));
      const [released] = await tx.query<{ hold_id: string }>(
        sql`select hold_id from audit.release_hold(${by}) as released (hold_id)`,
      );
      if (released === undefined) return { releasedId: null };
      tx.record(event('audit.hold.released', { hold_id: released.hold_id }));
      return { releasedId: released.hold_id };
    }),
);
