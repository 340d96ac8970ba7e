import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** For how long somebody may look at the marketplace's page of consent. Seconds. */
export const stateLasts = 600;
export const cookieName = 'steward_marketplace';

/** What a browser that begins to install is given, and what must come back with it. */
export interface InstallStates {
  /** `state` goes through the marketplace, `cookie` stays in the browser. */
  issue(shop: string, now: number): { readonly state: string; readonly cookie: string };
  /**
   * Whether the state is one that this browser was given for this shop, and still good: the digest under which it is used up, and when it ends.
   * Milliseconds.
   */
  check(given: {
    readonly shop: string;
    readonly state: string;
    readonly cookie: string | undefined;
    readonly now: number;
  }): { readonly digest: Buffer; readonly until: number } | undefined;
}

/**
 * Nothing is stored until a state comes back, so whoever begins a thousand times fills nothing. The key is derived for this alone: what it signs is good
 * nowhere else, least of all as the signature of a webhook.
 * @param secret of the installation, at least 32 random bytes
 */
export function createInstallStates(secret: Uint8Array): InstallStates {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward/marketplace/install-state/v1', 32));
  const mac = (shop: string, nonce: string, until: number): Buffer =>
    createHmac('sha256', key).update(`${shop}\n${nonce}\n${until}`).digest();
  return {
    issue: (shop, now) => {
      const state = randomBytes(24).toString('base64url');
      const until = Math.floor(now / 1000) + stateLasts;
      return { state, cookie: `${state}.${until}.${mac(shop, state, until).toString('base64url')}` };
    },
    check: ({ shop, state, cookie, now }) => {
      const found = /^([A-Za-z0-9_-]{32})\.(\d{10})\.([A-Za-z0-9_-]{43})$/.exec(cookie ?? '');
      if (found === null || !/^[A-Za-z0-9_-]{32}$/.test(state)) return undefined;
      const [, nonce = '', ends = '', signature = ''] = found;
      const until = Number(ends);
      const isOurs = timingSafeEqual(Buffer.from(signature, 'base64url'), mac(shop, nonce, until));
      const isSame = timingSafeEqual(Buffer.from(nonce), Buffer.from(state));
      if (!isOurs || !isSame || until * 1000 <= now) return undefined;
      return { digest: createHash('sha256').update(`marketplace-state/v1\n${nonce}`).digest(), until: until * 1000 };
    },
  };
}
