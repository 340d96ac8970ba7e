import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type Clock } from '@steward/kernel';
import type { Place } from '../place.ts';
import type { Grants } from '../sign-in/grants.ts';
import type { Issuer } from '../sign-in/issuers.ts';
import type { Sealed, Session } from './session.ts';
import type { SessionStore } from './store.ts';

export interface TokenPorts {
  readonly store: Pick<SessionStore, 'find' | 'lease' | 'change' | 'end'>;
  readonly grants: Pick<Grants, 'renew'>;
  readonly issuerOf: (issuer: string) => Issuer | undefined;
  readonly clock: Clock;
}

/** A token that ends within this time is renewed before it is used. Milliseconds. */
const margin = 60_000;
/** For how long somebody waits for another process that renews, in steps of this. Milliseconds. */
const step = 100;
const patience = 12_000;

export type TokenFor = (key: string, session: Session, place: Place, decides: boolean) => Promise<string>;

/**
 * The token with which the person of a session calls one address. What decides goes with the grant to decide while it lasts. One request renews at a
 * time: refresh tokens count once (RFC 9700 §4.14.2), and a second use would end the session.
 * @throws Problem `unauthenticated` (401) where the session has ended; `unavailable` (503)
 */
export function createTokens({ store, grants, issuerOf, clock }: TokenPorts): TokenFor {
  const under = new Map<string, Promise<Session>>();
  const held = ({ access, refresh }: Sealed, place: Place): string | undefined => {
    // An issuer that renews nothing gave one token for every address.
    const found = access[place] ?? (refresh === undefined ? access.portal : undefined);
    const least = refresh === undefined ? 0 : margin;
    return found !== undefined && found.until > clock() + least ? found.token : undefined;
  };
  const renewAlone = async (key: string, known: Session, place: Place): Promise<Session> => {
    const until = clock() + patience;
    let session: Session | undefined = known;
    while (session !== undefined && held(session, place) === undefined) {
      const issuer = issuerOf(session.issuer);
      if (issuer === undefined || session.refresh === undefined) break;
      if (await store.lease(session)) {
        const mine = session;
        const renewed = await grants.renew(issuer, session.refresh, place).catch(async (error: unknown) => {
          // The next one may try at once.
          await store.change(mine, (same) => same);
          throw error;
        });
        if (renewed === undefined) break;
        await store.change(session, (now) => ({
          ...now,
          refresh: renewed.refresh,
          access: { ...now.access, [place]: renewed.access },
        }));
      } else {
        if (clock() > until) throw fail('unavailable', undefined, { headers: { 'retry-after': '1' } });
        await sleep(step);
      }
      session = await store.find(key);
    }
    if (session === undefined || held(session, place) === undefined) {
      if (session !== undefined) await store.end(session, session.id);
      throw ended();
    }
    return session;
  };
  return async (key, session, place, decides) => {
    const { deciding } = session;
    if (decides && deciding !== undefined && deciding.until > clock()) {
      const token = deciding.access[place] ?? deciding.access.portal;
      if (token !== undefined && token.until > clock()) return token.token;
    }
    const now = held(session, place);
    if (now !== undefined) return now;
    // After whoever renews in this process at present.
    const before = under.get(session.id);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return renewAlone(key, (await store.find(key)) ?? session, place);
    })();
    under.set(session.id, turn);
    try {
      const token = held(await turn, place);
      if (token === undefined) throw ended();
      return token;
    } finally {
      if (under.get(session.id) === turn) under.delete(session.id);
    }
  };
}

export const ended = (): Error => fail('unauthenticated', 'Nobody is signed in here: sign in at /console/sign-in.');
