import { sql, type SqlPool } from '@steward/sql';

/** A key that signs, or signed, for this database. */
export interface RegisteredKey {
  readonly keyId: string;
  /** As `steward/audit+…+…`. */
  readonly verifierKey: string;
  /** Signed by the key itself and by the one before it (archive/key-note.ts). */
  readonly note: string;
  readonly registeredAt: Date;
}

/** In the order of their registration; the last one signs. */
export async function registeredKeys(pool: SqlPool): Promise<RegisteredKey[]> {
  const rows = await pool.read<{ key_id: string; verifier_key: string; note: string; registered_at: Date }>(
    sql`select key_id, verifier_key, note, registered_at from audit.signing_key order by number`,
  );
  return rows.map(({ key_id, verifier_key, note, registered_at }) => ({
    keyId: key_id,
    verifierKey: verifier_key,
    note,
    registeredAt: registered_at,
  }));
}

/**
 * Makes a key the current one.
 * @param previous the key that is current, undefined where there is none
 * @returns false where another one is current
 */
export async function registerKey(
  pool: SqlPool,
  previous: string | undefined,
  key: Pick<RegisteredKey, 'keyId' | 'verifierKey' | 'note'>,
): Promise<boolean> {
  const [row] = await pool.query<{ registered: boolean }>(
    sql`select audit.register_key(${previous ?? null}, ${key.keyId}, ${key.verifierKey}, ${key.note}) as registered`,
  );
  return row?.registered === true;
}
