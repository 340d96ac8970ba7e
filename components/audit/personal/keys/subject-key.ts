import { randomBytes } from 'node:crypto';
import { newId, openBytes, sealBytes } from '@steward/kernel';
import type { Row } from '@steward/sql';
import { fail } from '../../errors.ts';
import type { MasterKey, MasterKeys } from './master-key.ts';

/** What seals the values of one subject of one tenant. */
export interface SubjectKey {
  readonly keyId: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** As it lies in the database; both undefined once erased. */
export interface WrappedKey extends Row {
  readonly key_id: string;
  /** Id of the master key. */
  readonly master: string | null;
  /** nonce ‖ ciphertext ‖ tag. */
  readonly wrapped: Buffer | null;
}

/** A key that no one has, wrapped with the first master key. */
export function newSubjectKey(
  [master]: MasterKeys,
  tenant: string,
): { readonly keyId: string; readonly wrapped: Buffer } {
  const keyId = newId();
  return { keyId, wrapped: wrap(master, tenant, { keyId, bytes: randomBytes(32) }) };
}

export const wrap = ({ bytes: master }: MasterKey, tenant: string, { keyId, bytes }: SubjectKey): Buffer =>
  sealBytes(master, additional(tenant, keyId), bytes);

/**
 * The key, or undefined where it was erased.
 * @throws Problem `master_key_missing` (503)
 * @throws Error where the row was changed by other hands
 */
export function unwrap(masters: MasterKeys, tenant: string, row: WrappedKey): SubjectKey | undefined {
  const { key_id: keyId, master: id, wrapped } = row;
  if (wrapped === null) return undefined;
  const master = masters.find((one) => one.id === id);
  if (master === undefined)
    throw fail(
      'master_key_missing',
      `Personal data here is sealed under the master key ${id}, which this process does not have: it must be in AUDIT_MASTER_KEY.`,
    );
  const bytes = openBytes(master.bytes, additional(tenant, keyId), wrapped);
  if (bytes === undefined) throw new Error(`the key ${keyId} of tenant ${tenant} was changed in the database`);
  return { keyId, bytes };
}

const additional = (tenant: string, keyId: string): string => `audit-subject-key/v1\n${tenant}\n${keyId}`;
