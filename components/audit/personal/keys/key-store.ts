import { sql, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { ingestEvents } from '../../policy.ts';
import type { MasterKeys } from './master-key.ts';
import { newSubjectKey, type SubjectKey, unwrap, type WrappedKey } from './subject-key.ts';

/** By subject. */
export type SubjectKeys = ReadonlyMap<string, SubjectKey>;

/** Gives each subject of a tenant its living key, made at first use by whichever process comes first. */
export interface KeyStore {
  /** For an event of an outside producer: may answer from memory; the database refuses a key that was erased since. */
  forIngest(context: TenantContext, subjects: ReadonlySet<string>): Promise<SubjectKeys>;
  /** For a verb's own events, in its transaction: none of the keys is erased before that ends. */
  forVerb(tx: TenantTransaction, subjects: ReadonlySet<string>): Promise<SubjectKeys>;
  forget(tenant: string, subjects: Iterable<string>): void;
  /** Drops what has been remembered too long. */
  settle(): void;
  /** Keys in memory. */
  readonly size: number;
}

/** Milliseconds. An erased key is refused at once everywhere; this is how long it may still lie in memory. */
const remember = 60_000;
const most = 10_000;

export function createKeyStore(masterKeys: () => Promise<MasterKeys>): KeyStore {
  /** The oldest first. */
  const memory = new Map<string, { readonly key: SubjectKey; readonly until: number }>();
  const placeOf = (tenant: string, subject: string): string => `${tenant} ${subject}`;

  const settle = (): void => {
    const now = performance.now();
    for (const [place, { until }] of memory) {
      if (until > now && memory.size <= most) break;
      memory.delete(place);
    }
  };
  const keep = (tenant: string, found: SubjectKeys): void => {
    for (const [subject, key] of found) {
      memory.delete(placeOf(tenant, subject));
      memory.set(placeOf(tenant, subject), { key, until: performance.now() + remember });
    }
    settle();
  };
  const recall = (tenant: string, subject: string): SubjectKey | undefined => {
    const known = memory.get(placeOf(tenant, subject));
    return known !== undefined && known.until > performance.now() ? known.key : undefined;
  };

  return {
    get size() {
      return memory.size;
    },
    settle,
    forget: (tenant, subjects) => {
      for (const subject of subjects) memory.delete(placeOf(tenant, subject));
    },
    forIngest: async (context, subjects) => {
      const { tenant } = context;
      const keys = new Map<string, SubjectKey>();
      for (const subject of subjects) {
        const known = recall(tenant, subject);
        if (known !== undefined) keys.set(subject, known);
      }
      const wanted = [...subjects].filter((subject) => !keys.has(subject));
      if (wanted.length === 0) return keys;
      const masters = await masterKeys();
      const scope = context.require(ingestEvents);
      const there = unwrapAll(masters, tenant, await scope.read<LivingKey>(living(tenant, wanted)));
      const missing = wanted.filter((subject) => !there.has(subject));
      if (missing.length > 0) {
        const use = useStatement(masters, tenant, missing);
        const made = await scope.write(async (tx) => tx.query<LivingKey>(use));
        for (const [subject, key] of unwrapAll(masters, tenant, made)) there.set(subject, key);
      }
      keep(tenant, there);
      return new Map([...keys, ...there]);
    },
    forVerb: async (tx, subjects) => {
      if (subjects.size === 0) return new Map();
      const { tenant } = tx.context;
      const masters = await masterKeys();
      return unwrapAll(masters, tenant, await tx.query<LivingKey>(useStatement(masters, tenant, [...subjects])));
    },
  };
}

interface LivingKey extends WrappedKey {
  readonly subject: string;
}

const living = (tenant: string, subjects: readonly string[]): Statement => sql`
  select s.subject, k.key_id, k.master, k.wrapped
  from unnest(${subjects}::text[]) as s (subject)
  cross join lateral (select key_id, master, wrapped from audit.subject_key
    where tenant_id = ${tenant} and subject = s.subject collate "C" and erased_at is null limit 1) k`;

function useStatement(masters: MasterKeys, tenant: string, subjects: readonly string[]): Statement {
  const candidates = subjects.map(() => newSubjectKey(masters, tenant));
  const ids = candidates.map(({ keyId }) => keyId);
  return sql`select * from audit.use_subject_keys(${subjects}, ${ids}, ${masters[0].id},
    ${candidates.map(({ wrapped }) => wrapped)})`;
}

function unwrapAll(masters: MasterKeys, tenant: string, rows: readonly LivingKey[]): Map<string, SubjectKey> {
  const keys = new Map<string, SubjectKey>();
  for (const row of rows) {
    const key = unwrap(masters, tenant, row);
    if (key !== undefined) keys.set(row.subject, key);
  }
  return keys;
}
