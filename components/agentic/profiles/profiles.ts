import { BoundedMap, createFreshCache, createGuardedFetch, Problem } from '@steward/kernel';
import { createRoom } from '@steward/work';
import { agenticFail } from '../errors.ts';
import { type Profile, readProfile } from './profile.ts';

export interface Profiles {
  /**
   * The profile at an address, at most a minute old.
   * @throws Problem `profile_unreachable` (424), `profile_malformed` (422), `invalid_profile_url` (400)
   */
  of(url: string): Promise<Profile>;
  /** The same, fetched again unless that was done for one of its origin in the last minute: a signature names a key that it does not have. */
  again(known: Profile): Promise<Profile>;
  /** A request was signed by a key of it: it is fetched beside those of strangers from now on, however many these are. */
  proved(profile: Profile): void;
}

const minute = 60_000;
/** What could not be fetched is not asked for again meanwhile. Milliseconds. */
const failedFor = 10_000;
const patience = 5_000;
const largest = 256 * 1024;
/** Of all that is kept, in bytes. */
const capacity = 32 * 1024 * 1024;
/** Fetched at a time, and from one host: one that is slow leaves room for others. A stranger has as many hosts as they like, and takes no room of those who have proved themselves. */
const most = { all: 128, ofOne: 16 };
const mostProved = 10_000;

type Found = { readonly profile: Profile; readonly bytes: number } | { readonly problem: Problem };

/** Profiles of agents, whose addresses strangers choose: https alone, no redirects, no address inside, bounded in time and size. `plain`: those on this machine by http too. */
export function createProfiles({
  loopback,
  plain = false,
}: {
  readonly loopback: boolean;
  readonly plain?: boolean;
}): Profiles {
  const fetchIt = createGuardedFetch({
    accept: 'application/json',
    userAgent: 'Steward (profile of an agent)',
    loopback,
    plain,
  });
  const cache = createFreshCache<Found>({
    milliseconds: minute,
    capacity,
    weigh: (one) => ('profile' in one ? one.bytes + 2_000 : 2_000),
    missing: 1,
  });
  /** By origin: it is asked anew once a minute, whichever profiles it has (UCP, fetching). */
  const refreshed = new Map<string, number>();
  const rooms = { proved: createRoom(most), strangers: createRoom(most) };
  const proved = new BoundedMap<string, true>(mostProved);

  const load = async (url: string): Promise<{ readonly value: Found; readonly lives?: number }> => {
    const { host } = new URL(url);
    const room = proved.has(url) ? rooms.proved : rooms.strangers;
    if (!room.enter(host))
      return {
        value: {
          problem: unreachable(
            'Too many profiles are being fetched at the moment: try again in a few seconds.',
          ) as Problem,
        },
        lives: 0,
      };
    try {
      const text = await fetchText(fetchIt, url);
      return { value: { profile: readProfile(url, text), bytes: text.length } };
    } catch (error) {
      // Whoever proved themselves once does not hold the room of others by what they do not answer.
      proved.delete(url);
      const problem =
        error instanceof Problem
          ? error
          : (unreachable(
              'The profile could not be fetched: serve it at a public https address with a valid certificate, without redirects, within five seconds.',
            ) as Problem);
      return { value: { problem }, lives: failedFor };
    } finally {
      room.leave(host);
    }
  };
  const of = async (url: string): Promise<Profile> => {
    const found = await cache.get(url, async () => load(url));
    if (found === undefined) throw unreachable('The profile could not be fetched: try again in a few seconds.');
    if ('problem' in found) throw found.problem;
    return found.profile;
  };
  return {
    of,
    again: async (known) => {
      const now = performance.now();
      for (const [origin, at] of refreshed) {
        if (now - at < minute && refreshed.size < 10_000) break;
        refreshed.delete(origin);
      }
      const { origin } = new URL(known.url);
      if (now - known.fetchedAt < 1_000 || refreshed.has(origin)) return known;
      refreshed.set(origin, now);
      cache.forget((one) => 'profile' in one && one.profile.url === known.url);
      return of(known.url);
    },
    proved: ({ url }) => void proved.set(url, true),
  };
}

const unreachable = (detail: string): Error => agenticFail('profile_unreachable', detail);

async function fetchText(fetchIt: ReturnType<typeof createGuardedFetch>, url: string): Promise<string> {
  const response = await fetchIt(url, { signal: AbortSignal.timeout(patience) });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw unreachable(
      `The profile was answered with status ${response.status}: serve it with 200 at the address that requests name. Redirects are not followed.`,
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > largest)
      throw agenticFail('profile_malformed', `The profile is larger than ${largest} bytes: say less in it.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
