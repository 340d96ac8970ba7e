import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@steward/kernel';

export type LinkKind = 'confirm' | 'unsubscribe';

/** Whose emails a link is about. */
export interface Linked {
  readonly tenant: string;
  /** SHA-256 of the address, in hex. */
  readonly address: string;
}

/** Addresses in emails at which a reader says what they want of the tenant's emails. */
export interface Links {
  to(kind: LinkKind, linked: Linked): string;
  /** Undefined: made up, of another kind, cut off, or too old. */
  open(kind: LinkKind, token: string): Linked | undefined;
}

const day = 86_400_000;
/** An email may lie in a mailbox for long before somebody wants no more of them. */
const lifetime: Readonly<Record<LinkKind, number>> = { confirm: 7 * day, unsubscribe: 400 * day };

/** Tenant (16 bytes), digest of the address (32), seconds at which it ends (4), HMAC-SHA-256 over kind and all that (32). */
const sizes = { tenant: 16, address: 32, ends: 4, mac: 32 } as const;
const signed = sizes.tenant + sizes.address + sizes.ends;

/**
 * Signed and not secret: a link reveals nobody's address, and it opens only a page about that address.
 * @param secret at least 32 random bytes, the same in every process @param base `{studio_api_url}`
 */
export function createLinks(secret: Uint8Array, base: string, clock: Clock): Links {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward/studio/letter-link/v1', 32));
  const mac = (kind: LinkKind, part: Uint8Array): Buffer =>
    createHmac('sha256', key).update(`${kind}\n`).update(part).digest();
  return {
    to: (kind, { tenant, address }) => {
      const part = Buffer.alloc(signed);
      part.write(tenant.replaceAll('-', ''), 0, 'hex');
      part.write(address, sizes.tenant, 'hex');
      // By the day, so that emails of one day have one link.
      const ends = Math.ceil((clock() + lifetime[kind]) / day) * (day / 1000);
      part.writeUInt32BE(ends, sizes.tenant + sizes.address);
      return `${base}/letters/${kind}/${Buffer.concat([part, mac(kind, part)]).toString('base64url')}`;
    },
    open: (kind, token) => {
      const bytes = Buffer.from(token, 'base64url');
      // Decoding forgives what is not base64url, so the text is compared as well.
      if (bytes.length !== signed + sizes.mac || bytes.toString('base64url') !== token) return undefined;
      const part = bytes.subarray(0, signed);
      if (!timingSafeEqual(bytes.subarray(signed), mac(kind, part))) return undefined;
      if (part.readUInt32BE(sizes.tenant + sizes.address) * 1000 < clock()) return undefined;
      const hex = part.toString('hex', 0, sizes.tenant);
      return {
        tenant: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
        address: part.toString('hex', sizes.tenant, sizes.tenant + sizes.address),
      };
    },
  };
}
