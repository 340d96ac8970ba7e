import type { Answered, Asked, Holding, Shop } from '@steward/checkout';
import type { Answer } from '@steward/contract';
import { fail, type Request } from '@steward/kernel';
import type { SiteKey } from '@steward/studio';

/** Headers of what a buyer holds, for the document. */
export const tokenHeader = { 'X-Cart-Token': 'The token that the cart or checkout was made with. Required.' };
export const writeHeaders = {
  'Idempotency-Key':
    'A text of your choice, such as a UUID. The same request again under the same key is answered alike and does nothing, for a day.',
};
export const versionHeader = { 'If-Match': 'The ETag that the page has: 412 where it has changed since.' };

/** Codes of writes under an idempotency key. */
export const writeErrors = ['idempotency_key_reused', 'version_changed'] as const;

/** @param mediaAt where pictures are served */
export const shopAt =
  (mediaAt: string) =>
  ({ siteId, keyId, brandId, mode }: SiteKey): Shop => ({ siteId, keyId, agentId: null, brandId, mode, mediaAt });

export const holdingOf = ({ headers }: Request, id: string): Holding => ({
  id,
  token: textOf(headers['x-cart-token']),
});

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined;

const longestKey = 255;
/** Whoever guesses the key of a request that makes a cart is answered its token. */
const shortestSecretKey = 16;

/**
 * What a write asks for beside its body.
 * @param of whose keys these are
 * @param makes whether it makes something, and answers a token
 * @throws Problem `invalid_request` (400) for a key that is too short, too long, or has other characters
 */
export function askedOf(
  { headers }: Request,
  {
    operation,
    of,
    mode,
    body,
    makes = false,
  }: { operation: string; of: string; mode: SiteKey['mode']; body: unknown; makes?: boolean },
): Asked {
  const version = versionOf(textOf(headers['if-match']));
  const given = textOf(headers['idempotency-key']);
  if (given === undefined) return { version };
  const key = given.replace(/^"([^"]*)"$/, '$1');
  const shortest = makes ? shortestSecretKey : 1;
  if (key.length > longestKey || key.length < shortest || !/^[\x21-\x7e]+$/.test(key)) {
    const detail = `Give ${shortest} to ${longestKey} visible characters of ASCII that nobody can guess, such as a random UUID.`;
    throw fail('invalid_request', `Idempotency-Key: ${detail}`, {
      errors: [{ pointer: 'Idempotency-Key', code: 'invalid_format', detail }],
    });
  }
  return { version, repeatable: { key, operation, of, mode, agentId: null, body } };
}

/** A tag that is no version of ours matches nothing. */
function versionOf(tags: string | undefined): number | undefined {
  if (tags === undefined || tags.trim() === '*') return undefined;
  const [, version = '0'] = /^\s*(?:W\/)?"([1-9][0-9]{0,8})"\s*$/.exec(tags.slice(0, 40)) ?? [];
  return Number(version);
}

/** It holds what its buyer said, so that nobody keeps it but the page. */
export const answered = (
  status: number,
  body: { readonly version: number },
  { replayed = false }: Partial<Pick<Answered<unknown>, 'replayed'>> = {},
): Answer => ({
  status,
  body,
  headers: {
    etag: `"${body.version}"`,
    'cache-control': 'private, no-store',
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
  },
});
