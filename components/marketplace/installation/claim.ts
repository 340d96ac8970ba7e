import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { sql, type SqlPool, type TenantTransaction } from '@steward/sql';
import { isToken, type Token } from '../channels/token.ts';

/** For how long a shop that installed the app waits for an organization. */
export const claimLasts = '1 hour';

/** As it is shown and typed: `3f2a-…`, 128 random bits. */
export const codeForm = /^[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}$/;

const plain = (code: string): string => code.replaceAll('-', '').toLowerCase();
const digestOf = (code: string): Buffer =>
  createHash('sha256')
    .update(`marketplace-code/v1\n${plain(code)}`)
    .digest();

/**
 * Keeps what a shop granted until an organization claims it. No organization is known at that time, and none may be guessed: whoever is in the browser is
 * shown a code, and a member of the organization gives it. The token is sealed by a key of that code and of the installation, so that neither the
 * database nor the server opens it without the code.
 * @returns the code
 */
export async function keepInstallation(
  pool: Pick<SqlPool, 'query'>,
  secret: Uint8Array,
  { shop, token }: { readonly shop: string; readonly token: Token },
): Promise<string> {
  const code = randomBytes(16).toString('hex');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, code), nonce).setAAD(Buffer.from(shop));
  const text = Buffer.concat([cipher.update(JSON.stringify(token)), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]);
  await pool.query(
    sql`select marketplace.keep_installation(${digestOf(code)}, ${shop}, ${sealed}, ${claimLasts}::interval)`,
  );
  return (code.match(/.{4}/g) ?? []).join('-');
}

/** Takes what is kept under a code, once; undefined where nothing is. */
export async function claimInstallation(
  tx: Pick<TenantTransaction, 'query'>,
  secret: Uint8Array,
  code: string,
): Promise<{ readonly shop: string; readonly token: Token } | undefined> {
  const [row] = await tx.query<{ shop: string; sealed: Buffer }>(
    sql`select shop, sealed from marketplace.claim_installation(${digestOf(code)})`,
  );
  if (row === undefined) return undefined;
  const { shop, sealed } = row;
  const cipher = createDecipheriv('aes-256-gcm', keyOf(secret, plain(code)), sealed.subarray(0, 12), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(shop))
    .setAuthTag(sealed.subarray(12, 28));
  const token: unknown = JSON.parse(Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString());
  if (!isToken(token)) throw new Error('what was kept of an installation is no token');
  return { shop, token };
}

const keyOf = (secret: Uint8Array, code: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, code, 'steward/marketplace/installation/v1', 32));
