import { BoundedMap, type PrincipalRef } from '@steward/kernel';
import { sql, type SqlPool, type Statement } from '@steward/sql';

export interface Person {
  readonly id: string;
  readonly displayName: string | undefined;
  readonly email: string | undefined;
}

export interface People {
  /** Keeps what a person's token calls them; writes only what is news to this process. Other principals are ignored. */
  remember(subject: PrincipalRef, displayName: string | undefined, email: string | undefined): Promise<void>;
  /** By id; ids that nobody came with are absent. */
  named(ids: readonly string[]): Promise<Map<string, Person>>;
}

const remembered = 5_000;

export function createPeople(pool: Pick<SqlPool, 'read'>): People {
  const known = new BoundedMap<string, string>(remembered);
  return {
    remember: async ({ type, id }, displayName, email) => {
      const said = JSON.stringify([displayName, email]);
      if (type !== 'user' || (displayName ?? email) === undefined || known.get(id) === said) return;
      await pool.read(rememberStatement(id, displayName, email));
      known.set(id, said);
    },
    named: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await pool.read<{ id: string; display_name: string | null; email: string | null }>(
        sql`select id, display_name, email from identity.people(${[...new Set(ids)]})`,
      );
      return new Map(
        rows.map(({ id, display_name: displayName, email }) => [
          id,
          { id, displayName: displayName ?? undefined, email: email ?? undefined },
        ]),
      );
    },
  };
}

const rememberStatement = (id: string, displayName?: string, email?: string): Statement =>
  sql`select identity.remember_person(${id}, ${displayName ?? null}, ${email ?? null})`;
