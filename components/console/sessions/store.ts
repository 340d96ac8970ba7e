import { createHash, randomBytes } from 'node:crypto';
import { sql, type SqlPool } from '@steward/sql';
import type { Sealer } from './seal.ts';
import { idle, lasts, type Sealed, type Session } from './session.ts';

export interface Listed {
  readonly id: string;
  readonly client: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

type Person = Pick<Session, 'issuer' | 'subject'>;

export interface SessionStore {
  /** @returns the key, which the browser alone holds */
  start(person: Person & Pick<Session, 'id'>, client: string, sealed: Sealed): Promise<string>;
  /**
   * Undefined where none is meant, or it has ended.
   * @param used a person does something now, so that it is not left alone
   */
  find(key: string, used?: boolean): Promise<Session | undefined>;
  /** Whether the asker alone may renew its tokens, for the next ten seconds. */
  lease(session: Pick<Session, 'id' | 'version'>): Promise<boolean>;
  /** Changes what is sealed in it, whatever else changes it meanwhile. False where it has ended. */
  change(session: Person & Pick<Session, 'id'>, change: (sealed: Sealed) => Sealed): Promise<boolean>;
  /** @returns what was sealed in it; undefined where it is none of this person's */
  end(person: Person, id: string): Promise<Sealed | undefined>;
  list(person: Person): Promise<readonly Listed[]>;
  /** Whether it has neither ended nor been left alone for too long, for who need not open it; that is no use of it. */
  lives(session: Person & Pick<Session, 'id'>): Promise<boolean>;
}

const keyForm = /^[\w-]{43}$/;
const digestOf = (key: string): Buffer => createHash('sha256').update(`console-session/v1\n${key}`).digest();

interface SessionRow extends Record<string, unknown> {
  readonly session_id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly sealed: string;
  readonly version: number;
  readonly ends_at: Date;
}

export function createSessionStore(pool: Pick<SqlPool, 'query'>, sealer: Sealer): SessionStore {
  const placeOf = (id: string): string => `session/${id}`;
  const opened = (row: SessionRow | undefined): Session | undefined => {
    if (row === undefined) return undefined;
    const { session_id: id, issuer, subject, version, ends_at: endsAt } = row;
    // Undefined where the secret of the installation is another one: whoever was signed in signs in again.
    const sealed = sealer.open(row.sealed, placeOf(id)) as Sealed | undefined;
    return sealed && { ...sealed, id, issuer, subject, version, endsAt };
  };
  return {
    start: async ({ id, issuer, subject }, client, sealed) => {
      const key = randomBytes(32).toString('base64url');
      await pool.query(sql`
        select console.start_session(${id}::uuid, ${digestOf(key)}, ${issuer}, ${subject}, ${client}, ${sealer.seal(sealed, placeOf(id))},
          ${lasts}::interval)`);
      return key;
    },
    find: async (key, used = false) => {
      if (!keyForm.test(key)) return undefined;
      const hash = digestOf(key);
      const [row] = await pool.query<SessionRow>(
        used
          ? sql`select session_id, issuer, subject, sealed, version, ends_at from console.find_session(${hash}, ${idle}::interval)`
          : sql`select session_id, issuer, subject, sealed, version, ends_at from console.look_at_session(${hash}, ${idle}::interval)`,
      );
      return opened(row);
    },
    lease: async ({ id, version }) => {
      const [row] = await pool.query<{ leased: boolean }>(
        sql`select console.lease_session(${id}::uuid, ${version}::int, interval '10 seconds') as leased`,
      );
      return row?.leased === true;
    },
    change: async ({ id, issuer, subject }, change) => {
      for (;;) {
        const [row] = await pool.query<SessionRow>(
          sql`select session_id, issuer, subject, sealed, version, ends_at from console.session_of(${id}::uuid, ${issuer}, ${subject})`,
        );
        const session = opened(row);
        if (session === undefined) return false;
        const { name, email, refresh, idToken, access, deciding, version } = session;
        const sealed = sealer.seal(change({ name, email, refresh, idToken, access, deciding }), placeOf(id));
        const [kept] = await pool.query<{ kept: boolean }>(
          sql`select console.keep_session(${id}::uuid, ${version}::int, ${sealed}) as kept`,
        );
        if (kept?.kept === true) return true;
      }
    },
    end: async ({ issuer, subject }, id) => {
      const [row] = await pool.query<{ sealed: string }>(
        sql`select sealed from console.end_session(${id}::uuid, ${issuer}, ${subject}) as sealed`,
      );
      return row && (sealer.open(row.sealed, placeOf(id)) as Sealed | undefined);
    },
    lives: async ({ id, issuer, subject }) => {
      const [row] = await pool.query<{ lives: boolean }>(
        sql`select console.session_lives(${id}::uuid, ${issuer}, ${subject}, ${idle}::interval) as lives`,
      );
      return row?.lives === true;
    },
    list: async ({ issuer, subject }) => {
      const rows = await pool.query<{ session_id: string; client: string; started_at: Date; seen_at: Date }>(
        sql`select session_id, client, started_at, seen_at from console.sessions_of(${issuer}, ${subject}, ${idle}::interval)`,
      );
      return rows.map(({ session_id: id, client, started_at: startedAt, seen_at: seenAt }) => ({
        id,
        client,
        startedAt,
        seenAt,
      }));
    },
  };
}
