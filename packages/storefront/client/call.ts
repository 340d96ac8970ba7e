import type { CallOptions, StorefrontOptions } from './client.ts';
import { errorOf, StorefrontError } from './error.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Asking extends CallOptions {
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly version?: number | undefined;
}

export type Call = <T extends object>(method: Method, path: string, asking?: Asking) => Promise<T>;

const patience = 30_000;
/** Milliseconds before the second and the third try. */
const pauses = [400, 1600];

/** Sends again what did not arrive: reads, and writes under the key by which the server knows a repetition. */
export function createCall({ baseUrl, sdkKey, fetch }: StorefrontOptions): Call {
  const base = baseUrl.replace(/\/$/, '');
  return async <T extends object>(
    method: Method,
    path: string,
    { body, headers, version, signal }: Asking = {},
  ): Promise<T> => {
    const init = {
      method,
      credentials: 'omit',
      headers: {
        'x-service-sdk-key': sdkKey,
        ...(method === 'GET' ? undefined : { 'idempotency-key': freshKey() }),
        ...(body && { 'content-type': 'application/json' }),
        ...(version && { 'if-match': `"${version}"` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    } satisfies RequestInit;
    for (let tries = 0; ; tries += 1)
      try {
        return await once<T>(fetch ?? globalThis.fetch, base + path, init, signal);
      } catch (error) {
        const pause = pauses[tries];
        if (pause === undefined || !(error instanceof StorefrontError) || !isPassing(error)) throw error;
        await waiting(pause, signal);
      }
  };
}

/** No answer, or one of a server that is busy or away for the moment. A limit counts by the minute, and is not waited for. */
const isPassing = ({ status }: StorefrontError): boolean => !status || (status > 501 && status < 505);

async function once<T>(
  send: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<T> {
  let status = 0;
  try {
    const late = AbortSignal.timeout(patience);
    const answer = await send(url, { ...init, signal: signal ? AbortSignal.any([signal, late]) : late });
    status = answer.status;
    if (!answer.ok) throw await errorOf(answer);
    const found = status === 204 ? {} : ((await answer.json()) as T | null);
    if (typeof found !== 'object' || !found) throw new SyntaxError();
    return found as T;
  } catch (cause) {
    if (cause instanceof StorefrontError) throw cause;
    signal?.throwIfAborted();
    throw cause instanceof SyntaxError
      ? new StorefrontError('The answer is not from the storefront.', { status, code: 'invalid_answer' }, cause)
      : new StorefrontError('No answer from the storefront.', { status: 0, code: 'network_error' }, cause);
  }
}

/** `crypto.randomUUID` is missing in pages without TLS. */
const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function waiting(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
  signal?.throwIfAborted();
}
