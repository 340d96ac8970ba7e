import { isId, openBytes, sealBytes } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import type { KeyStore } from '../keys/key-store.ts';
import type { MasterKeys } from '../keys/master-key.ts';
import { unwrap, type WrappedKey } from '../keys/subject-key.ts';

/**
 * Keeps secrets of a tenant (of providers, of webhooks) unreadable in the database: sealed with a key of the tenant, which the
 * master key wraps. So a change of the master key (`steward audit rewrap`) covers them without touching them.
 */
export interface Secrets {
  /**
   * Seals bytes in the caller's transaction. `seat` names where the text is kept, such as `callbacks.connection/<id>/signing`: it opens
   * nowhere else. Answers ASCII text of about 4/3 of the bytes and 80 characters.
   */
  seal(tx: TenantTransaction, seat: string, plain: Uint8Array): Promise<string>;
  /**
   * @throws Problem `master_key_missing` (503)
   * @throws Error where the text was changed, or moved from another seat or tenant
   */
  open(tx: Pick<TenantTransaction, 'context' | 'query'>, seat: string, sealed: string): Promise<Buffer>;
}

/** No person's: a caller who names a subject cannot give a control character, so nobody erases it. */
const subject = '\u001fsecrets';

export function createSecrets(keys: Pick<KeyStore, 'forVerb'>, masterKeys: () => Promise<MasterKeys>): Secrets {
  return {
    seal: async (tx, seat, plain) => {
      const key = (await keys.forVerb(tx, new Set([subject]))).get(subject);
      if (key === undefined) throw new Error('the key of the tenant’s secrets was destroyed');
      const bytes = sealBytes(key.bytes, additional(tx.context.tenant, seat), plain);
      return `1.${key.keyId}.${bytes.toString('base64url')}`;
    },
    open: async (tx, seat, sealed) => {
      const [version, keyId = '', bytes = ''] = sealed.split('.');
      const { tenant } = tx.context;
      const [row] =
        version === '1' && isId(keyId)
          ? await tx.query<WrappedKey>(sql`
              select key_id, master, wrapped from audit.subject_key where tenant_id = ${tenant} and key_id = ${keyId}`)
          : [];
      const key = row && unwrap(await masterKeys(), tenant, row);
      const plain = key && openBytes(key.bytes, additional(tenant, seat), Buffer.from(bytes, 'base64url'));
      if (plain === undefined) throw new Error(`the secret at ${seat} does not open: it was changed or moved`);
      return plain;
    },
  };
}

const additional = (tenant: string, seat: string): string => `tenant-secret/v1\n${tenant}\n${seat}`;
