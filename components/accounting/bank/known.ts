import { createHash } from 'node:crypto';
import { createPace, newId } from '@steward/kernel';
import { z } from 'zod';
import { referenceIn } from './files/reference.ts';
import type { FileLine, StatementFile, StatementFormat } from './files/statement.ts';

/** A line that is there. */
export interface KeptLine {
  readonly id: string;
  readonly day: string;
  readonly amount: bigint;
  readonly description: string;
  readonly counterparty: string | null;
  readonly reference: string | null;
  readonly bankId: string;
  readonly format: string;
}

/** A line of a file that was left out. */
export const skippedLine = z.object({
  /** In the file. */
  line: z.int(),
  /** `known`: it is there, alike in every word. `likely_double`: a file of another format seems to have brought it. `not_booked`: the bank has not booked it yet and will send it again, or refused it. */
  reason: z.enum(['known', 'likely_double', 'no_amount', 'footer', 'not_booked']),
  day: z.string().nullable(),
  description: z.string(),
  /** The line that is there. */
  lineId: z.uuid().nullable(),
});
type SkippedLine = z.output<typeof skippedLine>;

/** Days that two banks' formats may lie apart for one movement. */
export const near = 3;
const day = 86_400_000;

/**
 * The new lines of a file. A line is known by everything it says, including its id: banks reuse ids and give one to several lines. So
 * the same id with other words is another line, and as many equal lines are kept as the file has. A line of the same amount that came
 * in another format at about that day is likely the same movement: it is skipped unless `take` has its number.
 */
export async function sortLines(
  file: StatementFile,
  format: StatementFormat,
  kept: readonly KeptLine[],
  take: ReadonlySet<number>,
): Promise<{ readonly fresh: readonly NewLine[]; readonly skipped: readonly SkippedLine[] }> {
  const pace = createPace();
  const there = new Map<string, KeptLine[]>();
  for (const one of kept) {
    if (pace.due()) await pace.rest();
    const key = keyOf(one);
    const alike = there.get(key);
    if (alike === undefined) there.set(key, [one]);
    else alike.push(one);
  }
  const skipped: SkippedLine[] = [];
  const skip = (one: FileLine, reason: SkippedLine['reason'], lineId: string | null): void => {
    const { line, description } = one;
    skipped.push({ line, reason, day: one.day, description: description.slice(0, 100), lineId });
  };
  const seen = new Map<string, number>();
  const used = new Set<string>();
  const left: { readonly one: FileLine; readonly key: string; readonly nth: number }[] = [];
  for (const one of file.lines) {
    if (pace.due()) await pace.rest();
    if (one.amount === 0n) {
      skip(one, 'no_amount', null);
      continue;
    }
    const key = said(one.bankId, one);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const before = there.get(key)?.[nth]?.id;
    if (before === undefined) left.push({ one, key, nth });
    else {
      used.add(before);
      skip(one, 'known', before);
    }
  }
  const others = byPlace(kept.filter((one) => one.format !== format && !used.has(one.id)));
  const fresh: NewLine[] = [];
  for (const { one, key, nth } of left) {
    if (pace.due()) await pace.rest();
    const double = take.has(one.line) ? undefined : likeliest(one, others);
    if (double === undefined) fresh.push(newLine(one, key, nth));
    else skip(one, 'likely_double', double.id);
  }
  for (const { line, reason, text } of file.leftOut)
    skipped.push({ line, reason, day: null, description: text.slice(0, 200), lineId: null });
  return { fresh, skipped: skipped.toSorted((a, b) => a.line - b.line) };
}

/** A line of a feed, held against lines that are there. */
export type Said = Pick<FileLine, 'day' | 'amount' | 'description' | 'counterparty'>;

/** Lines by day and amount, of which each is taken by one at most. */
export const byPlace = (lines: readonly KeptLine[]): Map<string, KeptLine[]> =>
  Map.groupBy(lines, (one) => place(Date.parse(one.day), one.amount));

interface NewLine {
  readonly line_id: string;
  readonly day: string;
  readonly amount: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly reference: string | null;
  readonly bank_id: string;
}

function newLine(one: FileLine, key: string, nth: number): NewLine {
  const { day: booked, amount, description, counterparty, reference, bankId } = one;
  const digest = createHash('sha256')
    .update(`${key}\n${nth + 1}`)
    .digest('hex')
    .slice(0, 32);
  return {
    line_id: newId(),
    day: booked,
    amount: amount.toString(),
    description: description.slice(0, 2000),
    counterparty: counterparty?.slice(0, 500) ?? null,
    reference: reference?.slice(0, 500) ?? null,
    bank_id: bankId === undefined ? `line:${digest}` : `bank:${bankId.slice(0, longestId)}\t${digest}`,
  };
}

/** Characters of a bank's id that are kept beside the digest of all the line says. */
const longestId = 240;

/** All a line says, cut as it is kept, without what files of one bank write now so and now so: blanks, case, and a word for no reference. */
function said(
  bankId: string | undefined,
  line: {
    readonly day: string;
    readonly amount: bigint;
    readonly description: string;
    readonly counterparty?: string | null | undefined;
    readonly reference?: string | null | undefined;
  },
): string {
  const plain = (text: string | null | undefined, most: number): string =>
    (text ?? '').slice(0, most).replaceAll(/\s/g, '').toLowerCase();
  return JSON.stringify([
    bankId?.slice(0, longestId) ?? null,
    line.day,
    line.amount.toString(),
    plain(line.description, 2000),
    plain(line.counterparty, 500),
    plain(referenceIn(line.reference ?? undefined), 500),
  ]);
}

/** By what a kept line is known: lines of earlier versions hold the bank's id alone. */
function keyOf(line: KeptLine): string {
  if (!line.bankId.startsWith('bank:')) return said(undefined, line);
  const tab = line.bankId.length - 33;
  return said(line.bankId.slice(5, line.bankId[tab] === '\t' ? tab : undefined), line);
}

const place = (at: number, amount: bigint): string => `${at} ${amount}`;
/** Of so many lines of one day and amount words are compared. */
const compared = 50;

/** Takes the nearest of the same amount out of `others`; of another day only one that shares a word. */
export function likeliest(one: Said, others: Map<string, KeptLine[]>): KeptLine | undefined {
  const at = Date.parse(one.day);
  const same = others.get(place(at, one.amount));
  if (same !== undefined && same.length > 0) return same.pop();
  const words = wordsOf(one);
  for (const apart of [1, -1, 2, -2, near, -near]) {
    const those = others.get(place(at + apart * day, one.amount)) ?? [];
    const index = those.slice(0, compared).findIndex((other) => [...wordsOf(other)].some((word) => words.has(word)));
    if (index !== -1) return those.splice(index, 1)[0];
  }
  return undefined;
}

const wordsOf = (line: {
  readonly description: string;
  readonly counterparty?: string | null | undefined;
}): Set<string> =>
  new Set(
    `${line.description} ${line.counterparty ?? ''}`
      .slice(0, 500)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu),
  );
