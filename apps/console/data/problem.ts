import { proposalOf, type Proposal, type Sent } from './proposal.ts';

export interface FieldFault {
  /** RFC 6901 pointer into the body, or `?name` of the query. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What a server refused, by RFC 9457; `unreachable` where nothing answered. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldFault[];
  /** Milliseconds that the server asks to wait. */
  readonly wait: number | undefined;
  /** Where one person alone may not do it. */
  readonly proposal: Proposal | undefined;
  /** Everything else that the server said of it. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    status: number,
    title: string,
    detail: string,
    more: {
      readonly errors?: readonly FieldFault[];
      readonly wait?: number;
      readonly cause?: unknown;
      readonly proposal?: Proposal | undefined;
      readonly more?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(`${code}: ${detail}`, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = more.errors ?? [];
    this.wait = more.wait;
    this.proposal = more.proposal;
    this.more = more.more ?? {};
  }

  /** It may go well by itself after a while. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503;
  }

  /** One person alone may not do this: it is to be proposed. */
  get wantsApproval(): boolean {
    return this.code === 'approval_required';
  }

  /** The person must log in afresh before this is asked again. */
  get wantsLogin(): boolean {
    return ['login_too_old', 'insufficient_scope', 'client_not_approver'].includes(this.code);
  }
}

export const unreachable = (cause: unknown): Problem =>
  new Problem('unreachable', 0, 'Nothing answers', 'The server cannot be reached.', { cause });

const isText = (value: unknown): value is string => typeof value === 'string';

/** The refusal of an answer that is no success. @param sent what was asked */
export async function problemOf(answer: Response, sent: Sent): Promise<Problem> {
  const body: Readonly<Record<string, unknown>> = await answer.json().catch(() => ({}));
  const title = isText(body['title']) ? body['title'] : answer.statusText;
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new Problem(
    isText(body['code']) ? body['code'] : `http_${answer.status}`,
    answer.status,
    title,
    isText(body['detail']) ? body['detail'] : title,
    {
      more: body,
      proposal: proposalOf(body, sent),
      errors: Array.isArray(body['errors']) ? (body['errors'] as FieldFault[]) : [],
      ...(Number.isFinite(seconds) ? { wait: seconds * 1000 } : {}),
    },
  );
}
