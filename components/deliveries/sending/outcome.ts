import { AddressRefused, NoAnswer, type Posted } from '@steward/kernel';
import { retryAfter } from './timings.ts';

/** Nothing was sent. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: string;
  /** It shall not be sent any more: whom it is for may not have it. */
  readonly forGood: boolean;
  constructor(code: string, { forGood }: { readonly forGood: boolean }) {
    super(code);
    this.code = code;
    this.forGood = forGood;
  }
}

/** What became of one request. */
export interface Answered {
  readonly delivered: boolean;
  readonly status: number | null;
  /** `http_503`, `timed_out`, `redirected`, … */
  readonly error: string | null;
  /** Milliseconds that the endpoint asked for. */
  readonly wait: number | undefined;
  /** It will never take anything (410). */
  readonly gone: boolean;
  /** It refuses this request, whenever it comes (4xx, but for time-outs and limits). */
  readonly stands: boolean;
  /** It was not sent, and shall not be. */
  readonly withheld: boolean;
  /** The first bytes, as far as they are text. */
  readonly answer: string | null;
}

const longestAnswer = 1_000;
/** Of these a repetition may become something: Request Timeout, Too Early, Too Many Requests. */
const later = new Set([408, 425, 429]);

export function judged({ status, headers, beginning }: Posted, now: number): Answered {
  const delivered = status >= 200 && status < 300;
  const redirected = status >= 300 && status < 400;
  return {
    delivered,
    status,
    error: delivered ? null : redirected ? 'redirected' : `http_${status}`,
    wait: delivered ? undefined : waitOf(headers['retry-after'], now),
    gone: status === 410,
    stands: status >= 400 && status < 500 && !later.has(status),
    withheld: false,
    answer: textOf(beginning),
  };
}

export function failed(cause: unknown): Answered {
  const withheld = cause instanceof NotSent && cause.forGood;
  const error =
    cause instanceof NotSent || cause instanceof AddressRefused || cause instanceof NoAnswer ? cause.code : 'not_sent';
  return { delivered: false, status: null, error, wait: undefined, gone: false, stands: false, withheld, answer: null };
}

/** Seconds, or a date; within bounds. */
function waitOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.length > 40) return undefined;
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, retryAfter.least), retryAfter.most);
}

/** With nothing in it that a database or a terminal takes for something else. */
function textOf(bytes: Buffer): string | null {
  const text = bytes
    .toString('utf8')
    .replaceAll(/[^\P{Cc}\n\t]|\uFFFD/gu, '')
    .slice(0, longestAnswer)
    .toWellFormed();
  return text === '' ? null : text;
}

/** What admits whoever has it, unlike a signature of one request. */
const admits = /^(?:authorization|proxy-authorization|cookie)$|secret|token|api-?key/i;
const longestHeader = 2_000;

/** What is kept of the headers of a request: without what admits anybody. */
export const shownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !admits.test(name))
      .map(([name, value]) => [name, value.slice(0, longestHeader)]),
  );
