import { randomBytes } from 'node:crypto';
import { fail, newId, type Clock, type Log } from '@steward/kernel';
import { event } from '../events.ts';
import { places, type Place } from '../place.ts';
import type { RecordSession } from '../sessions/record.ts';
import type { Sealer } from '../sessions/seal.ts';
import type { AccessToken, Session, Tokens } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/store.ts';
import { safeBack } from './back.ts';
import type { Begun, Grants } from './grants.ts';
import type { Issuer, Issuers } from './issuers.ts';

export interface SignInPorts {
  readonly origin: URL;
  readonly issuers: Issuers;
  readonly grants: Grants;
  readonly store: SessionStore;
  readonly sealer: Sealer;
  readonly record: RecordSession;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SignIn {
  readonly providers: readonly { readonly issuer: string; readonly host: string }[];
  /**
   * Where a person signs in, and what the browser keeps until then.
   * @param present the session that the browser has: it is to decide, where it is a login of now (`fresh`), else a new one takes its place
   * @throws Problem `invalid_request` (400) where several issuers are there and none is named; `unavailable` (503)
   */
  begin(query: URLSearchParams, present: Session | undefined, fresh: boolean): Promise<{ address: URL; begun: string }>;
  /** Whether what came back answers another sign-in than the one that this browser began last, which goes on. */
  overtaken(answer: URL, begun: string | undefined): boolean;
  /** @returns the key of a new session; none where one that is there may decide now. @throws Problem in words for the person */
  finish(answer: URL, begun: string | undefined, client: string): Promise<{ key: string | undefined; back: string }>;
  /** @param token of the person, for the portal, where one is to be had; @returns false where it is no session of this person */
  end(person: Session, id: string, token: string | undefined): Promise<boolean>;
  /** Where the browser signs out at the identity provider too; undefined where it has no such page, or is out of reach. */
  leave(session: Session): Promise<URL | undefined>;
}

type Named = Pick<Session, 'id' | 'issuer' | 'subject'>;

interface Kept extends Begun {
  readonly issuer: string;
  readonly back: string;
  readonly until: number;
  /** The session that is to decide, by the person who has it. */
  readonly decides: Named | undefined;
  /** The session that ends once the new one is there. */
  readonly replaces: Named | undefined;
}

const place = 'sign-in';
/** Milliseconds. */
const patience = 10 * 60_000;
const decidesFor = 15 * 60_000;

const random = (): string => randomBytes(32).toString('base64url');

export function createSignIn({ origin, issuers, grants, store, sealer, record, clock, log }: SignInPorts): SignIn {
  const issuerOf = (issuer: string): Issuer | undefined => issuers.all.find((one) => one.issuer === issuer);
  const only = issuers.all.length === 1 ? issuers.all[0] : undefined;
  const forget = (issuer: Issuer, refresh: string): void => {
    grants
      .revoke(issuer, refresh)
      .catch((err: unknown) => log.warn({ err }, 'tokens of a session that ended were not revoked'));
  };
  const keptOf = (sealed: string | undefined): Kept | undefined =>
    sealed === undefined ? undefined : (sealer.open(sealed, place) as Kept | undefined);
  const overtaken = (answer: URL, sealed: string | undefined): boolean => {
    const [state, kept] = [answer.searchParams.get('state'), keptOf(sealed)];
    return state !== null && kept !== undefined && state !== kept.state;
  };
  return {
    overtaken,
    providers: issuers.all.map(({ issuer }) => ({ issuer, host: new URL(issuer).host })),
    begin: async (query, present, fresh) => {
      const of = fresh ? present : undefined;
      const named = of?.issuer ?? query.get('issuer');
      const issuer = named === null ? only : issuerOf(named);
      if (issuer === undefined) throw fail('invalid_request', 'Name one of the issuers that people sign in with here.');
      const begun: Begun = { state: random(), nonce: random(), verifier: random() };
      const kept: Kept = {
        ...begun,
        issuer: issuer.issuer,
        back: safeBack(query.get('to'), origin.origin),
        until: clock() + patience,
        decides: of && nameOf(of),
        replaces: fresh ? undefined : present && nameOf(present),
      };
      return { address: await grants.address(issuer, begun, of), begun: sealer.seal(kept, place) };
    },
    finish: async (answer, sealed, client) => {
      const kept = keptOf(sealed);
      const issuer = kept && issuerOf(kept.issuer);
      if (kept === undefined || issuer === undefined || kept.until < clock())
        throw fail('unauthenticated', 'This sign-in was not begun in this browser, or too long ago.');
      if (overtaken(answer, sealed))
        throw fail('unauthenticated', 'Another sign-in was begun in this browser after this one: complete that one.');
      if (answer.searchParams.get('error') === 'access_denied')
        throw fail('unauthenticated', 'The sign-in was called off, so nothing has changed.');
      const { decides } = kept;
      const { claims, access, refresh, idToken } = await grants.take(issuer, answer, kept, decides !== undefined);
      if (decides === undefined) {
        const id = newId();
        await record(tokenOf(access), event('console.session.started', { session_id: id }));
        const key = await store.start({ id, issuer: issuer.issuer, subject: claims.sub }, client, {
          name: textOf(claims['name']),
          email: textOf(claims['email']),
          refresh,
          idToken,
          access,
          deciding: undefined,
        });
        if (kept.replaces?.issuer === issuer.issuer && kept.replaces.subject === claims.sub)
          await record(tokenOf(access), event('console.session.ended', { session_id: kept.replaces.id }));
        const before = kept.replaces && (await store.end(kept.replaces, kept.replaces.id));
        if (before?.refresh !== undefined && kept.replaces?.issuer === issuer.issuer) forget(issuer, before.refresh);
        return { key, back: kept.back };
      }
      if (claims.sub !== decides.subject)
        throw fail('unauthenticated', 'You signed in as somebody else, so nothing has changed. Sign out first.');
      // For every address now, and by nothing that could be renewed: after a quarter of an hour it is over.
      const all: Partial<Record<Place, AccessToken>> = { ...access };
      let next = refresh;
      for (const one of places) {
        if (all[one] !== undefined || next === undefined) continue;
        const renewed = await grants.renew(issuer, next, one);
        if (renewed === undefined) break;
        all[one] = renewed.access;
        next = renewed.refresh;
      }
      const began = (claims.auth_time ?? clock() / 1000) * 1000;
      const deciding = { until: Math.min(began, clock()) + decidesFor, access: all };
      const until = new Date(deciding.until).toISOString();
      await record(tokenOf(access), event('console.session.stepped_up', { session_id: decides.id, until }));
      const person = { issuer: issuer.issuer, subject: claims.sub };
      if (!(await store.change({ ...person, id: decides.id }, (now) => ({ ...now, deciding }))))
        throw fail('unauthenticated', 'The session has ended meanwhile: sign in again.');
      return { key: undefined, back: kept.back };
    },
    end: async (person, id, token) => {
      const was = await store.end(person, id);
      if (was === undefined) return false;
      if (token !== undefined) await record(token, event('console.session.ended', { session_id: id }));
      const issuer = issuerOf(person.issuer);
      if (issuer !== undefined && was.refresh !== undefined) forget(issuer, was.refresh);
      return true;
    },
    leave: async ({ issuer, idToken }) => {
      const of = issuerOf(issuer);
      try {
        return of && (await grants.leave(of, idToken));
      } catch (err) {
        log.warn({ err }, 'somebody signed out here alone, for their identity provider was out of reach');
        return undefined;
      }
    },
  };
}

const nameOf = ({ id, issuer, subject }: Session): Named => ({ id, issuer, subject });

/** What the code was exchanged for is of the portal. */
const tokenOf = ({ portal }: Tokens): string => portal?.token ?? '';

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim.slice(0, 320) : undefined;
