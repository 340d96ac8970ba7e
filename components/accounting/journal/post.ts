import { hash } from 'node:crypto';
import { allocate, formatAmount, newId } from '@steward/kernel';
import { sql, sqlState, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { booksFail, controlRefused } from '../errors.ts';
import { valuation, type Valuation } from '../rates/find.ts';
import { convert, formatRate, type Rate } from '../rates/rate.ts';
import type { EntryKind } from './entry.ts';
import { posted } from './taken.ts';
import { pair, type Line, type Posting } from './pair.ts';

export interface EntryDraft {
  readonly id?: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly currency: string;
  /** Where it is not the rate of that day: a settlement's own, or that of the entry it reverses. */
  readonly rate?: Rate | undefined;
  readonly narration: string;
  /** A year's closing is posted by closing it. */
  readonly kind: EntryKind;
  readonly sourceId?: string | undefined;
  readonly reverses?: string | undefined;
  readonly lines: readonly Line[];
  readonly causalId?: string | undefined;
}

export interface Posted {
  readonly id: string;
  readonly number: bigint;
  readonly eventId: string;
  readonly postings: readonly (Posting & { readonly baseAmount: bigint })[];
}

/** Minor units beyond which no single posting goes: sums of ninety of them still fit an account. */
export const mostAmount = 10n ** 17n;

/**
 * Posts an entry in the transaction of the verb that calls it, with its audit and bus event. Debits equal credits by
 * construction; base amounts follow the rate, rounded once and spread by the largest remainder.
 * @param valued where its rate was asked for already
 * @param beside asks for what travels with the entry, and sees it
 * @throws Problem `unbalanced_entry`, `account_unusable`, `control_account`, `rate_missing`, `amount_too_large` (422), `period_closed`,
 *   `already_reversed` (409)
 */
export async function post(
  tx: TenantTransaction,
  draft: EntryDraft,
  valued?: Promise<Valuation>,
  beside?: (id: string) => void,
): Promise<Posted> {
  const pairs = pair(draft.lines);
  if (pairs === undefined) throw unbalanced(draft);
  if (pairs.some(({ amount }) => amount > mostAmount))
    throw booksFail(
      'amount_too_large',
      `The largest posting is ${formatAmount(mostAmount, draft.currency)} ${draft.currency}: split the amount.`,
    );
  const { baseCurrency, rate } = await (valued ?? valuation(tx, draft.currency, draft.date, draft.rate));
  const amounts = pairs.map(({ amount }) => amount);
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const bases = allocate(convert(total, draft.currency, baseCurrency, rate), amounts);
  const id = draft.id ?? newId();
  const eventId = newId();
  const inserted = insert(tx, draft, { id, eventId, rate, pairs, bases });
  beside?.(id);
  const number = await inserted;
  const postings = pairs.map((one, index) => ({ ...one, baseAmount: bases[index] ?? 0n }));
  announce(tx, draft, { id, eventId, number, rate, postings });
  return { id, number, eventId, postings };
}

/** The audit and bus event of an entry that the database has posted. */
export function announce(
  tx: TenantTransaction,
  draft: Pick<EntryDraft, 'date' | 'kind' | 'currency' | 'narration' | 'sourceId' | 'reverses' | 'causalId'>,
  { id, eventId, number, rate, postings }: Posted & { readonly rate: Rate },
): void {
  const total = postings.reduce((sum, { amount }) => sum + amount, 0n);
  const facts = {
    entry_id: id,
    number: number.toString(),
    posting_date: draft.date,
    kind: draft.kind,
    amount: formatAmount(total, draft.currency),
    currency: draft.currency,
    ...(draft.sourceId === undefined ? {} : { source_id: draft.sourceId }),
    ...(draft.reverses === undefined ? {} : { reverses: draft.reverses }),
  };
  tx.record(
    event(
      posted,
      { ...facts, content_sha256: contentDigest(draft.narration, rate, postings) },
      { id: eventId, ...(draft.causalId === undefined ? {} : { causalId: draft.causalId }) },
    ),
  );
  tx.publish(announcement('accounting.entry.posted', facts, { subject: id }));
}

/** The parts of an entry that its event does not say in words; verification makes the same from its rows. */
function contentDigest(narration: string, rate: Rate, postings: Posted['postings']): string {
  const lines = postings.map(({ debit, credit, amount, baseAmount, debitMemo, creditMemo }) => [
    debit,
    credit,
    amount.toString(),
    baseAmount.toString(),
    debitMemo,
    creditMemo,
  ]);
  return hash('sha256', JSON.stringify(['entry/v1', formatRate(rate), narration, ...lines]), 'base64url');
}

async function insert(
  tx: TenantTransaction,
  draft: EntryDraft,
  made: { id: string; eventId: string; rate: Rate; pairs: readonly Posting[]; bases: readonly bigint[] },
): Promise<bigint> {
  const { pairs } = made;
  try {
    const [row] = await tx.query<{ number: bigint }>(sql`
      select accounting.post_entry(${made.id}::uuid, ${draft.date}::date, ${draft.currency}, ${formatRate(made.rate)}::numeric,
        ${draft.narration}, ${draft.kind}, ${draft.sourceId ?? null}::uuid, ${draft.reverses ?? null}::uuid, ${made.eventId}::uuid,
        ${pairs.map(({ debit }) => debit)}::uuid[], ${pairs.map(({ credit }) => credit)}::uuid[],
        ${pairs.map(({ amount }) => amount.toString())}::bigint[], ${made.bases.map(String)}::bigint[],
        ${pairs.map(({ debitMemo }) => debitMemo)}::text[], ${pairs.map(({ creditMemo }) => creditMemo)}::text[]) as number`);
    return row?.number ?? 0n;
  } catch (cause) {
    throw refusal(cause, draft) ?? cause;
  }
}

/** What the database refused, in the caller's words. */
function refusal(cause: unknown, draft: EntryDraft): Error | undefined {
  const state = sqlState(cause);
  const constraint = (cause as { constraint?: string }).constraint;
  if (state === 'AC001')
    return booksFail('period_closed', `The month of ${draft.date} is closed: choose a later date, or reopen it.`, {
      cause,
    });
  if (state === 'AC002')
    return booksFail('account_unusable', 'An account of this entry does not exist or is archived: list the accounts.', {
      cause,
    });
  if (state === 'AC004') return controlRefused(cause);
  if (state === '22003')
    return booksFail('amount_too_large', 'A balance would exceed the largest amount that an account can hold.', {
      cause,
    });
  if (state === '23505' && constraint === 'entry_tenant_id_reverses_key')
    return booksFail('already_reversed', 'This entry is already reversed, and an entry is reversed only once.', {
      cause,
    });
  return undefined;
}

function unbalanced({ lines, currency }: EntryDraft): Error {
  const debits = lines.reduce((sum, { debit = 0n }) => sum + debit, 0n);
  const credits = lines.reduce((sum, { credit = 0n }) => sum + credit, 0n);
  const detail =
    debits === credits
      ? 'There is nothing to post: on every account the debits equal the credits.'
      : `Debits are ${formatAmount(debits, currency)} and credits ${formatAmount(credits, currency)} ${currency}; they must be equal.`;
  return booksFail('unbalanced_entry', detail);
}
