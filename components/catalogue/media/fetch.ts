import { AddressRefused, type GuardedFetch } from '@steward/kernel';
import { mostBytes } from './pictures.ts';

/** Why a picture is not fetched; one that may be there later is asked for again. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched';
  readonly failure: string;
  readonly again: boolean;
  constructor(failure: string, again = false, options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
    this.again = again;
  }
}

const mostRedirects = 3;

/** The bytes at an address, each of whose redirects is judged as the address was. @throws NotFetched */
export async function fetchPicture(fetch: GuardedFetch, address: string, signal: AbortSignal): Promise<Buffer> {
  let at = address;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await asked(fetch, at, signal);
    const to = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && to !== null) {
      await response.body?.cancel();
      const next = URL.parse(to, at);
      if (next?.protocol !== 'https:') throw new NotFetched('redirected');
      at = next.href;
      continue;
    }
    return bytesOf(response, signal);
  }
  throw new NotFetched('redirected');
}

async function asked(fetch: GuardedFetch, address: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal });
  } catch (cause) {
    if (cause instanceof AddressRefused) throw new NotFetched(cause.code, false, { cause });
    throw new NotFetched('unreachable', true, { cause });
  }
}

async function bytesOf(response: Response, signal: AbortSignal): Promise<Buffer> {
  const refuse = async (failure: string, again = false): Promise<never> => {
    await response.body?.cancel();
    throw new NotFetched(failure, again);
  };
  const { status, headers } = response;
  if (status !== 200) return refuse('refused', status === 429 || status >= 500);
  const type = headers.get('content-type') ?? '';
  if (!/^(?:image\/|application\/octet-stream)/i.test(type)) return refuse('not_a_picture');
  if (Number(headers.get('content-length') ?? 0) > mostBytes) return refuse('too_large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      signal.throwIfAborted();
      size += chunk.byteLength;
      if (size > mostBytes) throw new NotFetched('too_large');
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof NotFetched) throw cause;
    throw new NotFetched('unreachable', true, { cause });
  }
  return Buffer.concat(chunks);
}
