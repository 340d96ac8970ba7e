import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/**
 * The secret that opens a cart or a checkout, 256 bits. It follows from the server's secret and the id, so that a repeated request is answered
 * with it although no table has it.
 */
export const tokenOf = (secret: Uint8Array, id: string): string =>
  createHmac('sha256', secret).update(`checkout token ${id}`).digest('base64url');

export const tokenDigest = (token: string): Buffer => hash('sha256', token, 'buffer');

/** @param given as it was sent, of any length */
export const isToken = (given: string | undefined, digest: Buffer): boolean =>
  given !== undefined && timingSafeEqual(tokenDigest(given), digest);
