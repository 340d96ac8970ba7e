/**
 * The provider did not answer what it was asked: a time-out, a cut connection, 408, 429, 5xx, a redirect, an answer that is cut, too large
 * or no JSON, or too many of these in a row. Whether it carried out what it was asked is not known: repeat it under the same idempotency key.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  /** Milliseconds before which it is useless to ask again, where they are known; a day at most. */
  readonly retryAfter: number | undefined;
  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The provider answered that it will not do this, with a 4xx: the same again is refused again. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
  readonly status: number;
  /** The provider's own name of the fault, where the answer has one that looks like a name. */
  readonly code: string | undefined;
  constructor(message: string, status: number, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
