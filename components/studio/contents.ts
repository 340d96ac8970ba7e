import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/** @param hash SQL: the application's login does not read it */
const keys = (hash: string): string =>
  `select tenant_id, key_id::text as key, ${digestOf(`'sdk_key/v1', ${hash}, last_four, label, origins`)} as digest from studio.sdk_key`;

/**
 * What sites, keys, drafts and published versions say, as the digest in their events: `tenant_id`, `key` and `digest`. Verification makes the same from the
 * rows. The hash of a key and the salt of a form keep anybody from guessing names and addresses.
 */
export const contents = {
  site: `select tenant_id, site_id::text as key, ${digestOf(`'site/v1', name, origins, default_country, requests_per_minute`)} as digest
    from studio.site`,
  key: keys(`encode(key_hash, 'hex')`),
  draft: `select tenant_id, form_id::text as key, ${digestOf(`'form_draft/v1', salt, name, draft`)} as digest from studio.form`,
  version: `select v.tenant_id, concat_ws(' ', v.form_id, v.version) as key,
      ${digestOf(`'form_version/v1', f.salt, v.name, v.definition, v.document`)} as digest
    from studio.form_version v join studio.form f on f.tenant_id = v.tenant_id and f.form_id = v.form_id`,
} as const;

/** In the transaction that wrote it: for its event. @param key of a version, the form and the number */
export const contentOf = async (
  tx: TenantTransaction,
  noun: Exclude<keyof typeof contents, 'key'>,
  key: string,
): Promise<string> => digestIn(tx, contents[noun], [key]);

/** The same of a key that was just made. @param hash in hexadecimal */
export const contentOfKey = async (tx: TenantTransaction, id: string, hash: string): Promise<string> =>
  digestIn(tx, keys('$3::text'), [id, hash]);

async function digestIn(tx: TenantTransaction, rows: string, values: readonly string[]): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${rows}) c where c.tenant_id = $1::uuid and c.key = $2`, [
      tx.context.tenant,
      ...values,
    ]),
  );
  if (row === undefined) throw new Error('what is told of was written');
  return row.digest;
}
