/** An answer of the protocol: the same over every transport. */
export interface Outcome {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** It is the answer to an earlier request. */
  readonly replayed?: boolean;
}
