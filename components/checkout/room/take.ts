import { Problem } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import type { Mode } from '@steward/stock';
import type { DoorState, Shop } from '../carts/cart.ts';
import { checkoutFail } from '../errors.ts';
import type { Repeatable } from '../once/once.ts';
import { keptFrom, type Kept, selectKept } from './kept.ts';
import { afterOthers, type Made, makeSome } from './make.ts';
import { ofTrusted, partOf, parts, shares, small } from './parts.ts';

/** How often a request makes room before it is refused: others do so too, and the server does from four fifths on. */
const mostTurns = 4;

/** Of a cart or a checkout, what grows. */
interface Draft {
  readonly mode: Mode;
  readonly agentId: string | null;
  readonly lines: readonly { readonly quantity: number }[];
  readonly doorState: DoorState | null;
  readonly figures?: unknown;
  readonly shippingAddress?: unknown;
  readonly billingAddress?: unknown;
  readonly note?: string | null;
}

/** About, before the database makes it smaller. */
const sizeOf = ({ lines, doorState, figures, shippingAddress, billingAddress, note }: Draft): number =>
  800 + textOf([lines, doorState, figures, shippingAddress, billingAddress, note]);
const textOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const piecesOf = ({ lines }: Draft): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** What is kept at this moment. Read it beside the first statement of the work, so that both travel together. */
export async function roomIn(tx: TenantTransaction): Promise<Kept> {
  return keptFrom(await tx.query(selectKept(tx.context.tenant)));
}

interface Growth {
  /** Null: it is new. */
  readonly before: Draft | null;
  readonly after: Draft;
  /** Of something that its buyer has begun already. */
  readonly begun?: boolean;
  readonly asked: Repeatable | undefined;
  readonly answer: unknown;
  /** What the transaction holds. */
  readonly held?: readonly (string | null)[];
}

/**
 * Before a cart, a checkout, or a change of one is kept with its answer. Where there is no room, some is made of what was left longest. What does not grow
 * is done without room, and says the same when it is asked for again; paying asks for none.
 * @param kept as it was read at the beginning: what is written at the same moment is not in it, and only so much may be kept beyond the ceiling
 * @returns whether there is room for the answer too
 * @throws Problem `cart_limit` (429)
 */
export async function takeRoom(
  tx: TenantTransaction,
  { agentTrusted = false }: Shop,
  kept: Kept,
  { before, after, begun = before !== null, asked, answer, held = [] }: Growth,
): Promise<boolean> {
  const whole = sizeOf(after) + (asked === undefined ? 0 : 200 + textOf(answer));
  const had = before === null ? 0 : sizeOf(before);
  const share = shares[whole > small ? 'large' : begun ? 'begun' : 'fresh'];
  const part = partOf(after);
  const own = parts[part] * (after.agentId === null || agentTrusted ? share : share - ofTrusted);
  const fits = (now: number): boolean => {
    try {
      tx.context.spend('cartBytes', whole - had, own, now);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'quota_exceeded') return false;
      throw error;
    }
  };
  let now = kept[part];
  // What this transaction frees is not counted before it ends.
  let freed = 0;
  const stays = held.filter((one) => one !== null);
  for (let turns = 0; !fits(now); turns += 1) {
    const [made] = turns < mostTurns ? await tx.query<Made>(makeSome(part, stays)) : [];
    const bytes = Number(made?.o_bytes ?? 0n);
    freed += bytes;
    now -= bytes;
    if (bytes > 0) continue;
    await tx.query(afterOthers(tx.context));
    const lately = (await roomIn(tx))[part] - freed;
    if (lately < now && fits(lately)) break;
    // More pieces may be what is added to those that are there: asked for again, it would be done twice.
    if (before !== null && sizeOf(after) <= had && piecesOf(after) <= piecesOf(before)) return false;
    throw checkoutFail(
      'cart_limit',
      'The shop keeps as many carts and checkouts as it may at the moment: go on with one that was begun, or come back in a minute.',
      { headers: { 'retry-after': '60' } },
    );
  }
  return true;
}
