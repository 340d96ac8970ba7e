import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** For how long somebody may look at the marketplace's page of consent. Seconds. */
export const stateLasts = 600;
export const cookieName = 'steward_marketplace';

/** What a browser that begins to install is given, and what must come back with it. */
export interface InstallStates {
  /**
   * `state` goes through the marketplace, `cookie` stays in the browser.
   * @param tenant whose page of the console the browser is led back to; '' where it began elsewhere
   */
  issue(shop: string, now: number, tenant?: string): { readonly state: string; readonly cookie: string };
  /**
   * Whether the state is one that this browser was given for this shop, and still good: the digest under which it is used up, when it ends
   * (milliseconds), and the tenant that it was given for.
   */
  check(given: {
    readonly shop: string;
    readonly state: string;
    readonly cookie: string | undefined;
    readonly now: number;
  }): { readonly digest: Buffer; readonly until: number; readonly tenant: string } | undefined;
}

/**
 * Nothing is stored until a state comes back, so whoever begins a thousand times fills nothing. The key is derived for this alone: what it signs is good
 * nowhere else, least of all as the signature of a webhook.
 * @param secret of the installation, at least 32 random bytes
 */
export function createInstallStates(secret: Uint8Array): InstallStates {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward/marketplace/install-state/v1', 32));
  const mac = (shop: string, nonce: string, until: number, tenant: string): Buffer =>
    createHmac('sha256', key).update(`${shop}\n${nonce}\n${until}\n${tenant}`).digest();
  return {
    issue: (shop, now, tenant = '') => {
      const state = randomBytes(24).toString('base64url');
      const until = Math.floor(now / 1000) + stateLasts;
      const signature = mac(shop, state, until, tenant).toString('base64url');
      return { state, cookie: `${state}.${until}.${signature}.${tenant}` };
    },
    check: ({ shop, state, cookie, now }) => {
      const found = /^([A-Za-z0-9_-]{32})\.(\d{10})\.([A-Za-z0-9_-]{43})\.([a-f0-9-]{0,36})$/.exec(cookie ?? '');
      if (found === null || !/^[A-Za-z0-9_-]{32}$/.test(state)) return undefined;
      const [, nonce = '', ends = '', signature = '', tenant = ''] = found;
      const until = Number(ends);
      const isOurs = timingSafeEqual(Buffer.from(signature, 'base64url'), mac(shop, nonce, until, tenant));
      const isSame = timingSafeEqual(Buffer.from(nonce), Buffer.from(state));
      if (!isOurs || !isSame || until * 1000 <= now) return undefined;
      const digest = createHash('sha256').update(`marketplace-state/v1\n${nonce}`).digest();
      return { digest, until: until * 1000, tenant };
    },
  };
}
