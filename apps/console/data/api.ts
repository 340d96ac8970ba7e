import { ofActs } from './acts.ts';
import { problemOf, unreachable } from './problem.ts';
import { readWithOthers, type Asking } from './together.ts';
import { heedVersion } from './version.ts';
import { longest, timed } from './waiting.ts';

export type Place = 'portal' | 'accounting' | 'commerce' | 'studio';
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Asked {
  readonly tenant?: string | undefined;
  readonly method?: string | undefined;
  /** JSON, or a file as it is. */
  readonly body?: unknown;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Something is read, and nothing changed: it may be asked for with others. */
  readonly read?: Asking | undefined;
}

/** The address of a route in the person's own session, also for links to files. */
export function addressOf(
  place: Place,
  path: string,
  { tenant, query = {} }: Pick<Asked, 'tenant' | 'query'> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  const within = tenant === undefined ? '' : `/o/${encodeURIComponent(tenant)}`;
  return `/console/api${within}/${place}${path}${search}`;
}

/**
 * A route of the server, as the person who is signed in. A change without an idempotency key gets one of its own.
 * @throws Problem
 */
export async function api<T>(place: Place, path: string, asked: Asked = {}): Promise<T> {
  const { tenant, method, body, headers } = asked;
  const address = addressOf(place, path, asked);
  const read = tenant !== undefined && method === undefined && body === undefined && headers === undefined;
  return own(address, read ? { ...asked, read: readingOf(tenant, address) } : asked);
}

/** An address of the console itself, such as `/console/session`. @throws Problem */
export async function own<T>(path: string, asked: Asked = {}): Promise<T> {
  return (await bodyOf(await send(path, asked))) as T;
}

/** What is read at an address of an organization. */
export const readingOf = (tenant: string, address: string, body?: object): Asking => ({
  tenant,
  path: address.slice(addressOf('portal', '', { tenant }).length - 'portal'.length),
  body,
});

async function send(url: string, { read, ...asked }: Asked): Promise<Response> {
  const together = read === undefined ? undefined : await readWithOthers(read, ask);
  const answer = together ?? (await ask(url, asked));
  if (answer.ok) return answer;
  const problem = await problemOf(answer, asked);
  if (problem.status === 401 && !problem.wantsLogin) over();
  throw problem;
}

let over = (): void => {};

/** Does so where an answer says that nobody is signed in. */
export function whenOver(act: () => void): void {
  over = act;
}

async function ask(url: string, { method, body, headers, signal }: Asked): Promise<Response> {
  const file = body instanceof Blob;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  // What is read may be asked again; what changes something may have been done.
  const ending = new AbortController();
  const givenUp = signal !== undefined ? setTimeout(() => ending.abort(), longest) : undefined;
  const answered = timed();
  try {
    const answer = await fetch(url, {
      method: verb,
      credentials: 'same-origin',
      headers: {
        'x-steward-console': '1',
        ...ofActs(),
        ...(body === undefined || file ? {} : { 'content-type': 'application/json' }),
        ...(verb === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: file ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal: AbortSignal.any([signal, ending.signal]) }),
    });
    heedVersion(answer);
    return answer;
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw unreachable(cause);
  } finally {
    clearTimeout(givenUp);
    answered();
  }
}

async function bodyOf(answer: Response): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? '';
  if (answer.status === 204) return undefined;
  return /\bjson\b/.test(type) ? answer.json() : answer.text();
}
