/** What a bank's file says, whatever its format. Amounts are minor units; money that came in is positive. */
export interface StatementFile {
  readonly currency: string | undefined;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  readonly lines: readonly FileLine[];
}

export interface FileLine {
  /** `YYYY-MM-DD`, the day the bank booked it. */
  readonly day: string;
  readonly amount: bigint;
  readonly description: string;
  readonly counterparty: string | undefined;
  readonly reference: string | undefined;
  /** The bank's own id of the line, by which it is known when it comes again. */
  readonly bankId: string | undefined;
}

export const statementFormats = ['csv', 'ofx', 'camt053'] as const;
export type StatementFormat = (typeof statementFormats)[number];
