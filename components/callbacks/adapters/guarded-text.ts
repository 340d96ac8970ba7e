import { createFreshCache, createGuardedFetch } from '@steward/kernel';

/**
 * Fetches a text by https from one of the hosts that the caller names, within five seconds and 64 KiB, and remembers it for ten minutes; that
 * it was not to be had, for half a minute.
 * @param hosts matches whole names and no part of one, such as `/^(?:[a-z0-9-]+\.)+paypal\.com$/`
 * @throws Error where it is not there: what needs it is tried again by the provider
 */
export type GuardedText = (address: string, hosts: RegExp) => Promise<string>;

const remembered = 600_000;
const forgiven = 30_000;
const mostBytes = 65_536;
/** Strangers write addresses into requests that nobody has verified yet. */
const mostAtOnce = 8;
const longestAddress = 500;

/**
 * @param options `loopback`: addresses of this machine are fetched whatever the hosts, for tests and what is developed on it; never in
 * production. `deadline`: milliseconds. `now`: monotonic milliseconds
 */
export function createGuardedText({
  loopback,
  deadline = 5_000,
  now = () => performance.now(),
}: {
  readonly loopback: boolean;
  readonly deadline?: number;
  readonly now?: () => number;
}): GuardedText {
  const fetch = createGuardedFetch({ accept: '*/*', userAgent: 'Steward', loopback });
  const cache = createFreshCache<string>({ milliseconds: remembered, capacity: 64, missing: 512, now });
  let running = 0;

  async function load(url: URL): Promise<string | undefined> {
    running += 1;
    try {
      const response = await fetch(url.href, { signal: AbortSignal.timeout(deadline) });
      if (response.status === 200) return await boundedText(response);
      await response.body?.cancel();
      return undefined;
    } catch {
      return undefined;
    } finally {
      running -= 1;
    }
  }

  return async (address, hosts) => {
    const url = address.length > longestAddress ? null : URL.parse(address);
    const isOwn = loopback && url !== null && loopbackHosts.test(url.hostname);
    const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
    if (url === null || !isPlain || !(isOwn || matchesWhole(url.hostname, hosts)))
      throw new Error('The address is not one that is fetched.');
    const text = await cache.get(url.href, async () => {
      // Said to whoever asks now; it is no news about the address.
      if (running >= mostAtOnce) throw new Error('Too much is being fetched.');
      const value = await load(url);
      return { value, lives: value === undefined ? forgiven : remembered };
    });
    if (text === undefined) throw new Error(`What ${url.hostname} has at the address is not to be had.`);
    return text;
  };
}

const loopbackHosts = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

const matchesWhole = (host: string, hosts: RegExp): boolean => host.match(hosts)?.[0] === host;

async function boundedText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
