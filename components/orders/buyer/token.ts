import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Proves to the storefront that somebody may see one order. Nothing of it is stored: it is made again wherever a link is written. */
export interface OrderTokens {
  of(order: { readonly tenant: string; readonly orderId: string }): string;
  /** The tenant of the order; undefined where the token is not of this order. */
  tenantOf(token: string, orderId: string): string | undefined;
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** @param secret at least 32 random bytes, the same in every process, and never in the database */
export function createOrderTokens(secret: Uint8Array): OrderTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward/orders/token/v1', 32));
  const mac = (tenant: Buffer, orderId: string): Buffer =>
    createHmac('sha256', key).update(tenant).update(bytesOf(orderId)).digest();
  return {
    of: ({ tenant, orderId }) => {
      const whose = bytesOf(tenant);
      return Buffer.concat([whose, mac(whose, orderId)]).toString('base64url');
    },
    tenantOf: (token, orderId) => {
      if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return undefined;
      const given = Buffer.from(token, 'base64url');
      const whose = given.subarray(0, 16);
      return timingSafeEqual(given.subarray(16), mac(whose, orderId)) ? idOf(whose) : undefined;
    },
  };
}
