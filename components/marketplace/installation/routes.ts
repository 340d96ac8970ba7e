import { type Guard, route, type Route } from '@steward/contract';
import { type Addresses, fail, isVisit, ProviderRefused, ProviderUnavailable, type Request } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { z } from 'zod';
import { marketplaceFail } from '../errors.ts';
import type { Connector } from '../settings.ts';
import { askForToken, type OAuthPorts, ScopesMissing } from '../shopify/oauth.ts';
import { scopes, shopName } from '../shopify/shop.ts';
import { keepInstallation } from './claim.ts';
import { installedPage, refusalPage, shopPage } from './pages.ts';
import { Refused } from './refused.ts';
import { isInTime, signedQuery } from './signed-query.ts';
import { cookieName, type InstallStates, stateLasts } from './state.ts';
import type { Why } from './words.ts';

export interface InstallPorts extends OAuthPorts {
  readonly connector: Connector;
  readonly states: InstallStates;
  readonly secret: Uint8Array;
  readonly pool: Pick<SqlPool, 'query'>;
  readonly addresses: Pick<Addresses, 'commerce' | 'portal'>;
}

const anybody: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };

/**
 * Where a shop installs the app. They belong to no organization: what is installed waits for whoever gives its code. Nothing is stored and nobody is asked
 * before the marketplace has signed, so strangers need no limit.
 */
export function installRoutes(ports: InstallPorts): Route[] {
  const { connector, states, settings, addresses } = ports;
  const base = addresses.commerce.replace(/\/$/, '');
  const callback = `${base}/marketplace/callback`;
  const cookie = (value: string, seconds: number): string =>
    [
      `${cookieName}=${value}`,
      `Path=${new URL(`${base}/marketplace`).pathname}`,
      `Max-Age=${seconds}`,
      'HttpOnly',
      // Sent along as the marketplace sends the browser back, and with no request that another page makes.
      'SameSite=Lax',
      ...(base.startsWith('https:') ? ['Secure'] : []),
    ].join('; ');
  return [
    route({
      method: 'GET',
      path: '/marketplace/install',
      does: 'for_anyone',
      tag: 'Marketplace',
      summary: 'Install the app in a shop',
      description:
        'For the browser of somebody who manages the shop: sends it to the marketplace’s page of consent, with a state that is good once and for ten minutes.',
      guard: anybody,
      query: z
        .object({
          shop: z
            .string()
            .max(200)
            .regex(shopName, 'Give the shop as one.myshopify.com')
            .meta({ description: 'The shop, such as `one.myshopify.com`.' }),
          tenant: z.uuid().optional().meta({
            description:
              'The organization whose page of channels in the console the browser ends on, where a member connects the shop. No other organization may connect it. Default: it ends on a page with the code.',
          }),
        })
        .loose(),
      answers: { 302: { description: 'The marketplace’s page of consent.' } },
      refuse: (problem, request) => shopPage(problem, request, addresses),
      handle: ({ query: { shop, tenant } }) => {
        const { state, cookie: kept } = states.issue(shop, Date.now(), tenant?.toLowerCase());
        const to = new URL(`${settings.addressOf(shop)}/admin/oauth/authorize`);
        to.search = new URLSearchParams({
          client_id: connector.clientId,
          scope: scopes.join(','),
          redirect_uri: callback,
          state,
        }).toString();
        return {
          status: 302,
          headers: { location: to.href, 'set-cookie': cookie(kept, stateLasts), 'cache-control': 'no-store' },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/marketplace/callback',
      does: 'for_anyone',
      tag: 'Marketplace',
      summary: 'Complete an installation',
      description:
        'For the browser, as the marketplace sends it back. The page shows a code: whoever manages the organization connects the shop by it, within an hour.',
      guard: anybody,
      query: z.object({}).loose(),
      answers: {
        200: { description: 'The page with the code.', types: ['text/html'] },
        302: { description: 'The page of channels in the console, if the installation began with its organization.' },
      },
      errors: ['installation_refused', 'unavailable'],
      refuse: (problem, request) => refusalPage(problem, request, addresses),
      handle: async ({ request }) => {
        const { code, shop, tenant } = await installed(ports, request);
        const over = { 'set-cookie': cookie('', 0), 'cache-control': 'no-store' };
        if (tenant === '' || !isVisit(request)) return installedPage(code, request, addresses, over);
        // Behind the `#`, which no server and no log of one is sent.
        const channels = new URL(`/o/${tenant}/commerce/channels`, addresses.portal);
        channels.hash = new URLSearchParams({ shop, code }).toString();
        return { status: 302, headers: { location: channels.href, 'referrer-policy': 'no-referrer', ...over } };
      },
    }),
  ];
}

const refused = (why: Why, detail: string, tenant?: string): Error =>
  marketplaceFail('installation_refused', `${detail} Begin again at /marketplace/install.`, {
    cause: new Refused(why, tenant),
  });

interface Installed {
  readonly code: string;
  readonly shop: string;
  /** '' where it began elsewhere than in the console. */
  readonly tenant: string;
}

/** @throws Problem `installation_refused` (400), `unavailable` (503) */
async function installed(ports: InstallPorts, { url, headers: sent }: Request): Promise<Installed> {
  const { settings, states, pool, connector, secret, log } = ports;
  const at = url.indexOf('?');
  const said = signedQuery(at < 0 ? '' : url.slice(at + 1), settings.webhookSecrets);
  if (said === undefined) throw refused('unsigned', 'The address is not signed by the marketplace.');
  const [shop = '', state = '', code = ''] = ['shop', 'state', 'code'].map((name) => said.get(name));
  const now = Date.now();
  if (!isInTime(said.get('timestamp'), now)) throw refused('old', 'The address is too old, or the clocks differ.');
  // Before anything is sent there.
  if (!shopName.test(shop)) throw refused('no_shop', 'The shop is none of the marketplace.');
  const known = states.check({ shop, state, cookie: cookieOf(sent.cookie), now });
  if (known === undefined)
    throw refused('other_browser', 'This browser did not begin the installation, or not of this shop.');
  const { tenant } = known;
  if (code === '' || code.length > 500) throw refused('nothing_granted', 'The shop granted nothing.', tenant);
  const [used] = await pool.query<{ first: boolean }>(
    sql`select marketplace.use_state(${known.digest}, ${new Date(known.until)}) as first`,
  );
  if (used?.first !== true) throw refused('used', 'The installation was completed before.', tenant);
  try {
    const token = await askForToken(ports, connector, shop, { code });
    const own = { shop, token, tenant: tenant === '' ? undefined : tenant };
    return { code: await keepInstallation(pool, secret, own), shop, tenant };
  } catch (error) {
    if (error instanceof ScopesMissing) throw refused('too_little', `The shop did not grant ${error.message}.`, tenant);
    if (error instanceof ProviderRefused) throw refused('refused', 'The marketplace refused the code.', tenant);
    if (error instanceof ProviderUnavailable) {
      log.warn({ because: error.message }, 'marketplace: an installation could not be completed');
      throw fail('unavailable', 'The marketplace does not answer: begin the installation again in a moment.', {
        cause: new Refused('silent', tenant),
      });
    }
    throw error;
  }
}

/** Of several with the name none is taken. */
function cookieOf(header: string | undefined): string | undefined {
  const all = (header ?? '').slice(0, 8_192).split(';');
  const own = all.map((one) => one.trim()).filter((one) => one.startsWith(`${cookieName}=`));
  return own.length === 1 ? own[0]?.slice(cookieName.length + 1) : undefined;
}
