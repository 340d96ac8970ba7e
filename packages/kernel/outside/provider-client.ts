import { BoundedMap } from '../bounded-map.ts';
import { isLoopback } from '../config/loopback.ts';
import type { Log } from '../log.ts';
import { createBreaker, type Attempt, type Breaker } from './breaker.ts';
import { ProviderRefused, ProviderUnavailable } from './provider-errors.ts';
import { OversizedAnswer, readAnswer, readAnswerText, UnusableAnswer } from './read-answer.ts';
import { retryAfter } from './retry-after.ts';

export type ProviderMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ProviderCall {
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `application/x-www-form-urlencoded`, where there is no `body`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is answered is this text and no JSON, of so many bytes at most. */
  readonly text?: { readonly type: string; readonly most: number };
  readonly signal?: AbortSignal;
}

export interface ProviderAnswer {
  /** 200–299. */
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON of at most 2 MiB, undefined where the answer is empty; or the text that was asked for. */
  readonly body: unknown;
}

export interface ProviderClient {
  /**
   * One HTTP call, without redirects and never repeated.
   * @param path below the base address, percent-encoded, such as `/v2/orders/1`; without `?`
   * @throws ProviderUnavailable, ProviderRefused; the reason of `signal`; TypeError for a path or header that cannot be sent
   */
  call(method: ProviderMethod, path: string, options?: ProviderCall): Promise<ProviderAnswer>;
}

export interface ProviderClientOptions {
  /** Who is asked, in messages and in the log. */
  readonly name: string;
  /** https, or http at this machine itself. */
  readonly base: string;
  /** Milliseconds until a whole answer must be there. */
  readonly deadline?: number;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Monotonic milliseconds, for the pauses of the breaker. */
  readonly now?: () => number;
}

/** By base address, so that all clients of a provider learn together that it is away. */
const breakers = new BoundedMap<string, Breaker>(1_000);

/** Asks the API of one provider. Messages and log lines name provider and status, and nothing that was sent. */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { name, deadline = 10_000, log, now = () => performance.now() } = options;
  const base = baseOf(options);
  const breaker = breakers.get(base.href) ?? createBreaker();
  breakers.set(base.href, breaker);
  return {
    call: async (method, path, call = {}) => {
      const request = prepare(base, method, path, call);
      call.signal?.throwIfAborted();
      const attempt = breaker.enter(now());
      if (typeof attempt === 'number') throw new ProviderUnavailable(`${name} is not asked: it failed lately`, attempt);
      try {
        const answer = await ask({ name, request, deadline, most: call.text?.most }, call.signal);
        answered(attempt);
        return answer;
      } catch (error) {
        settle(attempt, error);
        throw error;
      }
    },
  };

  function answered(attempt: Attempt): void {
    if (attempt.answered()) log.info({ provider: name }, 'a provider answers again');
  }

  function settle(attempt: Attempt, error: unknown): void {
    // Who answers no, asks one caller for less, or answers too much, is there: one account must not have the others wait.
    if (error instanceof ProviderRefused || error instanceof OfOneAccount) answered(attempt);
    else if (!(error instanceof ProviderUnavailable)) attempt.abandoned();
    else if (attempt.failed(now(), error.retryAfter))
      log.warn({ provider: name, reason: error.message }, 'a provider fails: it is left alone for a while');
  }
}

/** A 429, or an answer that is too large: of one account, which says nothing about others. */
class OfOneAccount extends ProviderUnavailable {}

interface Asking {
  readonly name: string;
  readonly request: Request;
  readonly deadline: number;
  /** Of a text, in bytes. */
  readonly most: number | undefined;
}

async function ask(
  { name, request, deadline, most }: Asking,
  signal: AbortSignal | undefined,
): Promise<ProviderAnswer> {
  const late = AbortSignal.timeout(deadline);
  let status: number;
  let headers: Headers;
  let body: unknown;
  try {
    const ends = signal === undefined ? late : AbortSignal.any([late, signal]);
    const response = await fetch(request, { redirect: 'manual', signal: ends });
    ({ status, headers } = response);
    body = await (most !== undefined && response.ok ? readAnswerText(response, most) : readAnswer(response));
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof OversizedAnswer) throw new OfOneAccount(`${name} ${error.message}`);
    // What the cause says may hold what was sent.
    throw new ProviderUnavailable(`${name} ${late.aborted ? `did not answer within ${deadline} ms` : faultOf(error)}`);
  }
  if (status >= 200 && status < 300) return { status, headers, body };
  const wait = retryAfter(headers.get('retry-after'));
  if (status === 429) throw new OfOneAccount(`${name} answered 429`, wait);
  if (status < 400 || status >= 500 || status === 408)
    throw new ProviderUnavailable(`${name} answered ${status}`, wait);
  const code = codeIn(body);
  throw new ProviderRefused(`${name} answered ${status}${code === undefined ? '' : ` (${code})`}`, status, code);
}

/** What happened to the connection, by its code alone. */
function faultOf(error: unknown): string {
  if (error instanceof UnusableAnswer) return error.message;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `did not answer${/^[A-Z_]{1,40}$/.test(code) ? ` (${code})` : ''}`;
}

function baseOf({ name, base }: ProviderClientOptions): URL {
  const url = URL.parse(base);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError(`the base address of ${name} must be https, without credentials, query and fragment`);
  return url;
}

function prepare(
  base: URL,
  method: ProviderMethod,
  path: string,
  { query, body, form, headers, text }: ProviderCall,
): Request {
  if (!/^\/[^?#\\]*$/.test(path) || path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new TypeError('a path begins with /, stays below the base address, and has no query');
  const url = new URL(`${base.href.replace(/\/$/, '')}${path}`);
  for (const [key, value] of Object.entries(query ?? {})) url.searchParams.append(key, value);
  const json = body === undefined ? undefined : JSON.stringify(body);
  const encoded = form === undefined ? undefined : new URLSearchParams(form).toString();
  const sent = json ?? encoded;
  try {
    return new Request(url, {
      method,
      headers: {
        accept: text?.type ?? 'application/json',
        'user-agent': 'Steward',
        ...(sent === undefined
          ? {}
          : { 'content-type': json === undefined ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
  } catch {
    // What it says quotes the header, and that may be a secret.
    throw new TypeError('a header cannot be sent, or a GET has a body');
  }
}

/** Where providers put the name of a fault: Stripe and Shopify `error.code`, PayPal `name`, Plaid `error_code`, Square `errors[0].code`. */
function codeIn(body: unknown): string | undefined {
  const { error, errors, error_code: coded, code, name } = membersOf(body);
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const found = [coded, code, membersOf(error)['code'], membersOf(first)['code'], error, name];
  return found.find((one): one is string => typeof one === 'string' && /^[A-Za-z0-9_.-]{1,80}$/.test(one));
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
