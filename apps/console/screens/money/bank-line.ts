import { difference, sum } from '../../data/decimal.ts';
import { isZero, type Amount } from '../../data/money.ts';

export interface BankAccount {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly agreedTo: string | null;
  readonly lastLineOn: string | null;
  readonly unmatchedLines: number;
  readonly unmatchedIn: Amount;
  readonly unmatchedOut: Amount;
}

interface Match {
  readonly matchId: string;
  readonly entryId: string;
  readonly amount: Amount;
}

export interface BankLine {
  readonly id: string;
  readonly day: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly reference: string | null;
  readonly amount: Amount;
  readonly unmatched: Amount;
  readonly matches: readonly Match[];
}

export interface Suggestion {
  readonly lineId: string;
  readonly kind: string;
  readonly reason: string;
  readonly score: number;
  readonly accountCode: string | null;
  readonly entryId: string | null;
  readonly documentId: string | null;
  /** Of the entry or document, and what it is about or whose. */
  readonly number: string | null;
  readonly narration: string | null;
  readonly amount: Amount;
  readonly parts: readonly {
    readonly entryId: string;
    readonly number: string;
    readonly date: string;
    readonly narration: string;
    readonly amount: Amount;
  }[];
}

export const isExplained = ({ unmatched }: BankLine): boolean => isZero(unmatched.amount);

/** The line as it is once matches are taken back. */
export const without = (line: BankLine, matchIds: readonly string[]): BankLine => {
  const taken = line.matches.filter(({ matchId }) => matchIds.includes(matchId));
  const matches = line.matches.filter((match) => !taken.includes(match));
  const amount = sum(line.unmatched.amount, ...taken.map((match) => match.amount.amount));
  return { ...line, matches, unmatched: { ...line.unmatched, amount } };
};

/**
 * The lines of the list, with those that were explained in this sitting still in their places: a list that moves under the
 * hand cannot be worked through by keys.
 */
export function linesInPlace(listed: readonly BankLine[], touched: ReadonlyMap<string, BankLine>): readonly BankLine[] {
  const all = new Map(listed.map((line) => [line.id, line]));
  for (const [id, line] of touched) all.set(id, line);
  return [...all.values()].toSorted((a, b) => compare(a.day, b.day) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The next one that is not explained, after the place or from the start. */
export function nextOpen(lines: readonly BankLine[], after: string | undefined): string | undefined {
  const at = lines.findIndex(({ id }) => id === after);
  const turned = [...lines.slice(at + 1), ...lines.slice(0, Math.max(0, at))];
  return turned.find((line) => !isExplained(line))?.id;
}

/** What is left of a line once parts of it are explained. */
export const leftOf = (line: BankLine, parts: readonly string[]): string =>
  parts.reduce((left, part) => difference(left, part), line.unmatched.amount);
