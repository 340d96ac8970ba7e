import { type Guard, route, type Route } from '@steward/contract';
import {
  type Addresses,
  html,
  pageHeaders,
  pageText,
  Problem,
  ProviderRefused,
  ProviderUnavailable,
  type Request,
  fail,
} from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { z } from 'zod';
import { marketplaceFail } from '../errors.ts';
import type { Connector } from '../settings.ts';
import { askForToken, type OAuthPorts, ScopesMissing } from '../shopify/oauth.ts';
import { scopes, shopName } from '../shopify/shop.ts';
import { keepInstallation } from './claim.ts';
import { isInTime, signedQuery } from './signed-query.ts';
import { cookieName, type InstallStates, stateLasts } from './state.ts';

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
        })
        .loose(),
      answers: { 302: { description: 'The marketplace’s page of consent.' } },
      handle: ({ query: { shop } }) => {
        const { state, cookie: kept } = states.issue(shop, Date.now());
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
      answers: { 200: { description: 'The page with the code.', types: ['text/html'] } },
      errors: ['installation_refused', 'unavailable'],
      handle: async ({ request }) => {
        const shown = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => ({
          status,
          text,
          type: 'text/html; charset=utf-8',
          headers: { ...pageHeaders, vary: 'Accept', ...headers },
        });
        try {
          const code = await installed(ports, request);
          return shown(200, page(code, addresses.portal), { 'set-cookie': cookie('', 0) });
        } catch (error) {
          // Somebody who manages a shop reads it, in a browser.
          const reads = (request.headers.accept ?? '').startsWith('text/html');
          if (!reads || !(error instanceof Problem)) throw error;
          return shown(error.status, refusal(error, `${base}/marketplace/install`, request.url));
        }
      },
    }),
  ];
}

/** @throws Problem `installation_refused` (400), `unavailable` (503) */
async function installed(ports: InstallPorts, { url, headers: sent }: Request): Promise<string> {
  const { settings, states, pool, connector, secret, log } = ports;
  const at = url.indexOf('?');
  const said = signedQuery(at < 0 ? '' : url.slice(at + 1), settings.webhookSecrets);
  if (said === undefined) throw refused('The address is not signed by the marketplace.');
  const [shop = '', state = '', code = ''] = ['shop', 'state', 'code'].map((name) => said.get(name));
  const now = Date.now();
  if (!isInTime(said.get('timestamp'), now)) throw refused('The address is too old, or the clocks differ.');
  // Before anything is sent there.
  if (!shopName.test(shop)) throw refused('The shop is none of the marketplace.');
  const known = states.check({ shop, state, cookie: cookieOf(sent.cookie), now });
  if (known === undefined) throw refused('This browser did not begin the installation, or not of this shop.');
  if (code === '' || code.length > 500) throw refused('The shop granted nothing.');
  const [used] = await pool.query<{ first: boolean }>(
    sql`select marketplace.use_state(${known.digest}, ${new Date(known.until)}) as first`,
  );
  if (used?.first !== true) throw refused('The installation was completed before.');
  try {
    const token = await askForToken(ports, connector, shop, { code });
    return await keepInstallation(pool, secret, { shop, token });
  } catch (error) {
    if (error instanceof ScopesMissing) throw refused(`The shop did not grant ${error.message}.`);
    if (error instanceof ProviderRefused) throw refused('The marketplace refused the code.');
    if (error instanceof ProviderUnavailable) {
      log.warn({ because: error.message }, 'marketplace: an installation could not be completed');
      throw fail('unavailable', 'The marketplace does not answer: begin the installation again in a moment.');
    }
    throw error;
  }
}

const refused = (why: string): Error =>
  marketplaceFail('installation_refused', `${why} Begin again at /marketplace/install.`);

/** Of several with the name none is taken. */
function cookieOf(header: string | undefined): string | undefined {
  const all = (header ?? '').slice(0, 8_192).split(';');
  const own = all.map((one) => one.trim()).filter((one) => one.startsWith(`${cookieName}=`));
  return own.length === 1 ? own[0]?.slice(cookieName.length + 1) : undefined;
}

/** What the person can do: to begin again, of the same shop where the address names one. */
function refusal({ title, detail }: Problem, install: string, url: string): string {
  const at = url.indexOf('?');
  const shop = at < 0 ? null : new URLSearchParams(url.slice(at)).get('shop');
  return pageText(
    title,
    html`<h1>${title}</h1>
      <p>${detail}</p>
      ${
        shop !== null && shopName.test(shop)
          ? html`<p><a href="${install}?shop=${encodeURIComponent(shop)}">Begin again with ${shop}</a></p>`
          : html``
      }`,
  );
}

const page = (code: string, portal: string): string =>
  pageText(
    'The app is installed',
    html`<h1>The app is installed</h1>
      <p>
        One step is left: give this code to whoever manages your organization in Steward, or to its agent, within an
        hour. The shop belongs to nobody there until then.
      </p>
      <pre>${code}</pre>
      <p>
        An agent connects the shop by <code>service_connect_channel</code>, which a person approves. A person connects
        it by <code>POST /api/channels</code>, with a token of ${portal}.
      </p>
      <p class="warning">
        Give it to nobody who asks you for it: whoever has it can connect your shop to an organization of their own.
      </p>`,
  );
