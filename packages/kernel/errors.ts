/** code → [HTTP status, title]. Codes are stable: programs switch on them. */
export type ErrorTable = Readonly<Record<string, readonly [status: number, title: string]>>;

export interface FieldError {
  /** RFC 6901 JSON pointer into the request body; `{name}` of the path, as OpenAPI writes it, `?name` of the query, and a header by its name. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Extension members of the document (RFC 9457 §3.2): JSON, named unlike the standard ones. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error that may leave the platform: RFC 9457 on HTTP, `error_code` in a tool result. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, title: string, detail: string, extras: ProblemExtras = {}) {
    super(`${code}: ${detail}`, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = extras.errors;
    this.headers = extras.headers ?? {};
    this.members = extras.members ?? {};
  }

  /** The same of where a caller wrote what a verb calls by its own names. @param place for a pointer of the verb's, where that is */
  placed(place: (pointer: string) => string): Problem {
    if (this.errors === undefined) return this;
    const errors = this.errors.map((one) => ({ ...one, pointer: place(one.pointer) }));
    const detail = this.errors.reduce(
      (text, { pointer }, at) => text.replace(`${pointer || '/'}:`, () => `${errors[at]?.pointer || '/'}:`),
      this.detail,
    );
    const { code, status, title, headers, members } = this;
    return new Problem(code, status, title, detail, { errors, headers, members, cause: this.cause ?? this });
  }
}

export type Fail<T extends ErrorTable> = ((
  code: keyof T & string,
  detail?: string,
  extras?: ProblemExtras,
) => Problem) & {
  readonly table: T;
};

/** Declares a component's codes; the answer makes Problems of exactly these codes. */
export function defineErrors<const T extends ErrorTable>(table: T): Fail<T> {
  const fail = (code: keyof T & string, detail?: string, extras?: ProblemExtras): Problem => {
    const row = table[code];
    if (row === undefined) throw new TypeError(`no such error code: ${code}`);
    return new Problem(code, row[0], row[1], detail ?? `${row[1]}.`, extras);
  };
  return Object.assign(fail, { table });
}

/** The codes every surface shares. */
export const fail = defineErrors({
  invalid_json: [400, 'The body is not acceptable JSON'],
  invalid_request: [400, 'The request is not valid'],
  invalid_cursor: [400, 'The cursor was not issued by this list'],
  tenant_required: [400, 'The request names no tenant'],
  tenant_mismatch: [400, 'The request names two different tenants'],
  unauthenticated: [401, 'Authentication is required'],
  insufficient_scope: [403, 'The token lacks a scope'],
  tenant_forbidden: [403, 'The caller may not use this tenant'],
  insufficient_role: [403, 'The role does not permit this'],
  not_human: [403, 'Only a person may do this'],
  quota_exceeded: [403, 'The organization has used up a quota'],
  not_found: [404, 'There is no such resource'],
  method_not_allowed: [405, 'The method is not allowed here'],
  request_timeout: [408, 'The request took too long to arrive'],
  conflict: [409, 'The request conflicts with the present state'],
  idempotency_conflict: [409, 'The idempotency key was used for a different request'],
  payload_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The address is too long'],
  unsupported_media_type: [415, 'The content type is not supported'],
  unsupported_content_encoding: [415, 'Only the identity content encoding is supported'],
  misdirected_request: [421, 'The server does not serve this host'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The header fields are too large'],
  internal_error: [500, 'The server failed'],
  unavailable: [503, 'The service is not available at the moment'],
  deadline_exceeded: [503, 'The work took too long'],
  outcome_unknown: [503, 'The outcome is not known'],
});

/** Of `invalid_cursor`, without a full stop: a cursor is no list's or another list's. */
export const badCursor = 'Send the cursor of the previous page unchanged';
