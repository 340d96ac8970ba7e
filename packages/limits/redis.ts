import { hash } from 'node:crypto';
import { createClient } from '@redis/client';
import type { LimitStore } from './window.ts';

/** One round trip, atomic. A bucket that has lost its end (it cannot, but for a hand in the store) gets one. */
const script = `
local answer = {}
for i, key in ipairs(KEYS) do
  local spent = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = ARGV[i * 2] * 1000
    redis.call('PEXPIRE', key, left)
  end
  table.insert(answer, spent)
  table.insert(answer, left)
  if spent > tonumber(ARGV[i * 2 - 1]) then break end
end
return answer`;
const digest = hash('sha1', script);

/** A command that takes longer is given up; the request it belongs to is counted elsewhere. Milliseconds. */
const patience = 250;

/**
 * Counts in Redis or Valkey, shared by every process that names the same server. Keys are stored as digests and expire
 * by themselves. `take` rejects while the server does not answer.
 */
export function redisLimits(url: string, onError: (error: Error) => void): LimitStore {
  const client = createClient({
    url: url.replace(/^valkey(s?):/, 'redis$1:'),
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    // A server that accepts and says nothing is found out by the socket's silence, not only by each command.
    pingInterval: 5_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 15_000,
      reconnectStrategy: (tries) => Math.min(2_000, 50 * 2 ** Math.min(tries, 6)),
    },
  });
  client.on('error', onError);
  // Never awaited: the first requests are counted elsewhere if it takes long.
  client.connect().catch(onError);
  const run = async (keys: string[], args: string[]): Promise<number[]> => {
    const options = { keys, arguments: args };
    try {
      return (await client.evalSha(digest, options)) as number[];
    } catch (error) {
      if (!String((error as Error).message).startsWith('NOSCRIPT')) throw error;
      return (await client.eval(script, options)) as number[];
    }
  };
  return {
    take: async (uses) => {
      const keys = uses.map(({ limit, key }) => `steward:limit:${limit.name}:${hash('sha256', key, 'base64url')}`);
      const args = uses.flatMap(({ limit }) => [String(limit.allowed), String(limit.windowSeconds)]);
      const answer = await within(patience, run(keys, args));
      return Array.from({ length: answer.length / 2 }, (_one, at) => ({
        spent: answer[at * 2] ?? 0,
        endsIn: answer[at * 2 + 1] ?? 0,
      }));
    },
    close: async () => client.destroy(),
  };
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    // What comes too late is nobody's any more.
    work.catch(() => undefined);
  }
}
