import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { openBytes, sealBytes } from '@steward/kernel';
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
  {
    shop,
    token,
    tenant,
  }: {
    readonly shop: string;
    readonly token: Token;
    /** The one organization that may claim it; whichever shows the code first by default. */
    readonly tenant?: string | undefined;
  },
): Promise<string> {
  const code = randomBytes(16).toString('hex');
  const sealed = sealToken(secret, code, shop, token);
  await pool.query(
    sql`select marketplace.keep_installation(${digestOf(code)}, ${shop}, ${sealed}, ${claimLasts}::interval, ${tenant ?? null}::uuid)`,
  );
  return (code.match(/.{4}/g) ?? []).join('-');
}

/**
 * Makes what is kept under a code the organization's, if it is nobody's yet. By itself, before anything of the organization is written: a proposal shows the
 * code to everybody who sees what waits there, and none of them may connect the shop elsewhere.
 */
export async function bindInstallation(pool: Pick<SqlPool, 'query'>, tenant: string, code: string): Promise<void> {
  await pool.query(sql`select marketplace.bind_installation(${digestOf(code)}, ${tenant}::uuid)`);
}

/** Takes what is kept under a code for the organization, once; undefined where nothing is. */
export async function claimInstallation(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  secret: Uint8Array,
  code: string,
): Promise<{ readonly shop: string; readonly token: Token } | undefined> {
  const [row] = await tx.query<{ shop: string; sealed: Buffer }>(
    sql`select shop, sealed from marketplace.claim_installation(${digestOf(code)}, ${tx.context.tenant}::uuid)`,
  );
  if (row === undefined) return undefined;
  return { shop: row.shop, token: openToken(secret, code, row.shop, row.sealed) };
}

/** As `sealBytes` has it, but for the tag, which stands before the text. */
function sealToken(secret: Uint8Array, code: string, shop: string, token: Token): Buffer {
  const sealed = sealBytes(keyOf(secret, code), shop, Buffer.from(JSON.stringify(token)));
  return Buffer.concat([sealed.subarray(0, 12), sealed.subarray(-16), sealed.subarray(12, -16)]);
}

/** @throws Error where the bytes were changed, or the shop or the secret is another */
export function openToken(secret: Uint8Array, code: string, shop: string, kept: Buffer): Token {
  const sealed = Buffer.concat([kept.subarray(0, 12), kept.subarray(28), kept.subarray(12, 28)]);
  const text = openBytes(keyOf(secret, plain(code)), shop, sealed);
  const token: unknown = text && JSON.parse(text.toString());
  if (!isToken(token)) throw new Error('what was kept of an installation is no token');
  return token;
}

const keyOf = (secret: Uint8Array, code: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, code, 'steward/marketplace/installation/v1', 32));
