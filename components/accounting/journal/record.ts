import { createHash } from 'node:crypto';
import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { mostLines } from '../lines.ts';
import { currencyCode, dayText, rateText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { keepBooks } from '../permissions.ts';
import { valuation } from '../rates/find.ts';
import { readRate } from '../rates/rate.ts';
import { callerKey } from '../subledger/key.ts';
import { entry, type Entry } from './entry.ts';
import { effect, effects } from './effects.ts';
import { entryIn } from './get.ts';
import { post } from './post.ts';
import { lineInput, readLines } from './read-lines.ts';

export const entryInput = z.strictObject({
  date: dayText.meta({ description: 'Day to post on, in an open month: YYYY-MM-DD.' }),
  currency: currencyCode,
  rate: rateText.optional(),
  narration: z.string().trim().min(1).max(2000).meta({ description: 'What it is for, as the journal shows it.' }),
  lines: z.array(lineInput).min(2).max(mostLines).meta({ description: 'Each with either a debit or a credit.' }),
  /** The same key and entry again answers with the entry that was posted. */
  idempotencyKey: callerKey,
});
export type EntryInput = Fixed<z.output<typeof entryInput>>;

/** An entry that was posted, and what it did to the balances. */
export const postedEntry = z.object({ entry: entry.answer, effects: z.array(effect) });
type PostedEntry = Fixed<z.output<typeof postedEntry>>;

/** As `recordEntry`, with what it does to the balances. */
export const postEntry = operation(
  {
    ...decides,
    area: 'books',
    name: 'service_post_journal_entry',
    input: entryInput.omit({ idempotencyKey: true }),
    answer: postedEntry,
    errors: {
      invalid_amount: 'lines',
      invalid_rate: 'rate',
      rate_missing: 'currency',
      unbalanced_entry: 'lines',
      account_unusable: 'lines',
      control_account: 'lines',
      amount_too_large: 'lines',
      period_closed: 'date',
    },
  },
  async ({ context }, input) => recordWithEffects(context, input),
);

/**
 * Posts a journal entry.
 * @throws Problem as `post` and `readLines` do, `invalid_rate` (422), `idempotency_conflict` (409)
 */
export async function recordEntry(context: TenantContext, input: EntryInput, kind?: 'opening'): Promise<Entry> {
  return (await recordWithEffects(context, input, kind)).entry;
}

/** The same, with what it does to the balances. */
export async function recordWithEffects(
  context: TenantContext,
  input: EntryInput,
  kind: 'journal' | 'opening' = 'journal',
): Promise<PostedEntry> {
  return context.require(keepBooks).write(async (tx) => {
    const rate = input.rate === undefined ? undefined : readRate(input.rate);
    const { date, currency, narration, idempotencyKey } = input;
    const valued = valuation(tx, currency, date, rate);
    // What is wrong with the lines is said first.
    valued.catch(() => undefined);
    const lines = await readLines(tx, input.lines, currency);
    const draft = { date, currency, rate, narration, kind, lines };
    const shown = async (id: string) => {
      const [made, changes] = await Promise.all([entryIn(tx, id), effects(tx, [id])]);
      return { entry: made, effects: changes };
    };
    const postNow = async (own?: string): ReturnType<typeof shown> => {
      const asked = Promise.withResolvers<Awaited<ReturnType<typeof shown>>>();
      // Where the entry is refused, so is what travels with it.
      asked.promise.catch(() => undefined);
      await post(tx, { ...draft, id: own }, valued, (id) => asked.resolve(shown(id)));
      return asked.promise;
    };
    if (idempotencyKey === undefined) return postNow();
    const id = entryIdOf(context.tenant, idempotencyKey);
    const digest = createHash('sha256')
      .update(JSON.stringify([date, currency, input.rate ?? '', narration, kind, input.lines]))
      .digest('hex');
    return (await claim(tx, id, digest)) ? postNow(id) : shown(id);
  });
}

/** Whether this transaction is the one that posts under the key. Another that is at it is waited for. */
async function claim(tx: TenantTransaction, id: string, digest: string): Promise<boolean> {
  const mine = await tx.query(sql`
    insert into accounting.entry_key (tenant_id, entry_id, digest) values (${tx.context.tenant}::uuid, ${id}::uuid, ${digest})
    on conflict do nothing returning entry_id`);
  if (mine.length > 0) return true;
  const [kept] = await tx.query<{ digest: string }>(sql`
    select digest from accounting.entry_key where tenant_id = ${tx.context.tenant}::uuid and entry_id = ${id}::uuid`);
  if (kept?.digest !== digest)
    throw fail('idempotency_conflict', 'This key was used for another entry: choose a new key for a new entry.');
  return false;
}

/** A UUID of version 8 (RFC 9562) that follows from the key, so that a key is one entry. */
function entryIdOf(tenant: string, key: string): string {
  const bytes = createHash('sha256').update(`accounting.entry\n${tenant}\n${key}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
