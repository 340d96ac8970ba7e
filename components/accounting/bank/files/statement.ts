import { createPace } from '@steward/kernel';

/** What a bank's file says, whatever its format. Amounts are minor units; money that came in is positive. */
export interface StatementFile {
  readonly currency: string | undefined;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  readonly lines: readonly FileLine[];
  readonly leftOut: readonly LeftOut[];
}

/** A line of the file that is no movement: behind the last day of a table, such as a total, or what the bank has not booked yet. */
export interface LeftOut {
  readonly line: number;
  readonly reason: 'footer' | 'not_booked';
  readonly text: string;
}

export interface FileLine {
  /** The line's number in the file, the first being 1. */
  readonly line: number;
  /** `YYYY-MM-DD`, the day the bank booked it. */
  readonly day: string;
  readonly amount: bigint;
  readonly description: string;
  readonly counterparty: string | undefined;
  readonly reference: string | undefined;
  /** The bank's own id of the line. Banks reuse ids and give one to several lines, so it alone never identifies a line. */
  readonly bankId: string | undefined;
}

export const statementFormats = ['csv', 'ofx', 'camt053'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** Reads line by line, not for long at a stretch, and says of every line what is wrong with it, up to ten. @throws Error that names the lines */
export async function eachLine<T, R>(from: Iterable<T>, lineOf: (one: T) => number, read: (one: T) => R): Promise<R[]> {
  const pace = createPace();
  const faults: string[] = [];
  const done: R[] = [];
  for (const one of from) {
    if (pace.due()) await pace.rest();
    try {
      done.push(read(one));
    } catch (cause) {
      faults.push(`line ${lineOf(one)}: ${(cause as Error).message}`);
      if (faults.length === 10) break;
    }
  }
  if (faults.length > 0) throw new Error(faults.join('; '));
  return done;
}

/** Characters of a file that are parsed at a stretch. */
export const stretch = 16_384;

/**
 * The statements of one account: all of them, where the file has no others, or those of `wanted`.
 * @param wanted IBAN or number, compared without blanks and case
 */
export function ofOneAccount<T extends { readonly account: string | undefined }>(
  statements: readonly T[],
  wanted: string | undefined,
): readonly T[] {
  const plain = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();
  const names = [...new Set(statements.flatMap(({ account }) => account ?? []))];
  if (wanted === undefined && names.length > 1)
    throw new Error(
      `it contains statements of ${names.length} accounts: set bank_account to one of ${names.slice(0, 10).join(', ')}`,
    );
  if (wanted === undefined) return statements;
  const own = statements.filter(({ account }) => account !== undefined && plain(account) === plain(wanted));
  if (own.length === 0)
    throw new Error(
      `it contains no statement of ${wanted}, only of ${names.slice(0, 10).join(', ') || 'an account without a name'}`,
    );
  return own;
}
