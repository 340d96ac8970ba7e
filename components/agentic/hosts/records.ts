import { Resolver } from 'node:dns/promises';
import { ConfigError, fail } from '@steward/kernel';
import { createRoom } from '@steward/work';

/** What stands in DNS in text at a name. @param tenant that asks  @throws Problem `unavailable` (503) where nobody says */
export type ReadTexts = (name: string, tenant: string) => Promise<readonly string[]>;

const patience = 2_000;
const tries = 2;
/** Of servers that answer slowly, one after the other. */
const mostPatience = 6_000;
/** A tenant whose servers are slow leaves room for others. */
const most = { all: 64, ofOne: 4 };
/** Records of a name are few; what else stands there is not ours. */
const mostRecords = 100;
const longestRecord = 255;

const nothing = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Asks DNS what stands in text at a name. Nothing is connected to that the answer names, so it may say what it likes.
 * @param servers those of the machine where it is empty
 */
export function createTexts(servers: readonly string[]): ReadTexts {
  const room = createRoom(most);
  return async (name, tenant) => {
    if (!room.enter(tenant)) throw unavailable('Too many names are being asked for: try again in a moment.');
    const resolver = new Resolver({ timeout: patience, tries });
    if (servers.length > 0) resolver.setServers(servers);
    AbortSignal.timeout(mostPatience).addEventListener('abort', () => resolver.cancel(), { once: true });
    try {
      const records = await resolver.resolveTxt(name);
      return records.slice(0, mostRecords).map((parts) => parts.join('').slice(0, longestRecord));
    } catch (error) {
      if (nothing.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw unavailable('DNS did not answer for the name: try again in a moment.');
    } finally {
      room.leave(tenant);
    }
  };
}

const unavailable = (detail: string): Error => fail('unavailable', detail, { headers: { 'retry-after': '5' } });

/** @throws ConfigError where they are no addresses */
export function checkServers(variable: string, servers: readonly string[]): readonly string[] {
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new ConfigError(
      `${variable} is a comma list of addresses of DNS servers, such as 192.0.2.53 or [2001:db8::53]:53.`,
    );
  }
  return servers;
}
