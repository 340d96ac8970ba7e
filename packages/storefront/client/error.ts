export interface FieldError {
  /** JSON Pointer into the request's body, such as `/data/email`. */
  readonly pointer: string;
  /** The field the pointer names, where it names one. */
  readonly field: string | undefined;
  readonly code: string;
  readonly detail: string;
}

interface Particulars {
  readonly status: number;
  readonly code: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** What a call to the storefront came to when it did not succeed. */
export class StorefrontError extends Error {
  override readonly name = 'StorefrontError';
  /** The answer's HTTP status; 0 when there was none. */
  declare readonly status: number;
  /** The problem's stable code; `outcome_unknown` when the server cannot tell whether a
   * submission was stored, `network_error` when no answer came, `invalid_answer` when it was not the storefront's. */
  declare readonly code: string;
  readonly errors: readonly FieldError[] = [];
  /** Seconds to wait before the next try, where the server named them and the page may read it. */
  declare readonly retryAfter?: number;
  /** Names the request in the server's log. */
  declare readonly requestId?: string;

  constructor(message: string, particulars: Particulars, cause?: unknown) {
    super(message, { cause });
    Object.assign(this, particulars);
  }
}

/** Reads an answer that is no success; what stands before the storefront need not speak in problem documents. */
export async function errorOf(answer: Response): Promise<StorefrontError> {
  const { status } = answer;
  const problem = ((await answer.json().catch(() => undefined)) ?? {}) as Partial<StorefrontError & { detail: string }>;
  const { code = 'invalid_answer', detail = `HTTP ${status}`, errors, requestId } = problem;
  return new StorefrontError(detail, {
    status,
    code,
    // Names of fields hold nothing that a JSON Pointer escapes.
    errors: Array.isArray(errors)
      ? (errors as FieldError[]).map((error) => ({ ...error, field: /^\/data\/([^/]*)/.exec(error.pointer)?.[1] }))
      : [],
    // A date, which caches may write, says no more than no header: the storefront's limits are counted by the minute.
    retryAfter: Number(answer.headers.get('retry-after')) || undefined,
    requestId,
  });
}
