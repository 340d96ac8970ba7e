import type { Answer } from '@steward/contract';
import {
  type Addresses,
  html,
  type Html,
  isId,
  pageHeaders,
  pageText,
  type Problem,
  type Request,
} from '@steward/kernel';
import { shopMeant, shopName } from '../shopify/shop.ts';
import { Refused } from './refused.ts';
import { languageOf, wordsIn } from './words.ts';

type At = Pick<Addresses, 'commerce' | 'portal'>;

interface Shown {
  readonly status: number;
  readonly title: string;
  readonly main: readonly Html[];
  readonly headers?: Readonly<Record<string, string>>;
}

const paged = (request: Request, { status, title, main, headers = {} }: Shown): Answer => ({
  status,
  text: pageText(
    title,
    html`<h1>${title}</h1>
      ${main}`,
    languageOf(request),
  ),
  type: 'text/html; charset=utf-8',
  headers: { ...pageHeaders, vary: 'Accept, Accept-Language', ...headers },
});

const paragraph = (text: string | Html): Html => html`<p>${text}</p>`;
const link = (to: string, text: string): Html => paragraph(html`<a href="${to}">${text}</a>`);

const givenOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

function install({ commerce }: At, shop: string, tenant: string): string {
  const given = new URLSearchParams({ shop, ...(tenant === '' ? {} : { tenant }) });
  return `${commerce.replace(/\/$/, '')}/marketplace/install?${given.toString()}`;
}

/** Its page of channels; of nobody whom we know, the page on which they choose their organization. */
const consoleOf = ({ portal }: At, tenant: string): string =>
  new URL(tenant === '' ? '/' : `/o/${tenant}/commerce/channels`, portal).href;

/** Of a shop that cannot be read: which one it may be, and how shops are called. */
export function shopPage({ status }: Problem, request: Request, at: At): Answer {
  const words = wordsIn[languageOf(request)];
  const given = givenOf(request.url);
  const named = given.get('tenant') ?? '';
  const tenant = isId(named) ? named : '';
  const meant = shopMeant(given.get('shop') ?? '');
  return paged(request, {
    status,
    title: words.whichShop,
    main: [
      meant === undefined ? paragraph(words.notAShop) : link(install(at, meant, tenant), words.meant(meant)),
      paragraph(words.addressOfShop),
      html`<pre>${install(at, 'name.myshopify.com', tenant)}</pre>`,
      link(consoleOf(at, tenant), words.console),
    ],
  });
}

/** Why it is not installed, and how to begin again: of the same shop, where the address names one. */
export function refusalPage({ status, cause }: Problem, request: Request, at: At): Answer {
  const words = wordsIn[languageOf(request)];
  const shop = givenOf(request.url).get('shop') ?? '';
  const { why, tenant } = cause instanceof Refused ? cause : new Refused('silent');
  return paged(request, {
    status,
    title: words.refused,
    main: [
      paragraph(words.why[why]),
      shopName.test(shop) ? link(install(at, shop, tenant), words.again(shop)) : html``,
      link(consoleOf(at, tenant), words.console),
    ],
  });
}

/** The code, and who does what with it. */
export function installedPage(
  code: string,
  request: Request,
  at: At,
  headers: Readonly<Record<string, string>>,
): Answer {
  const words = wordsIn[languageOf(request)];
  return paged(request, {
    status: 200,
    title: words.installed,
    headers,
    main: [
      paragraph(words.oneStep),
      html`<pre>${code}</pre>`,
      paragraph(words.byHand),
      link(consoleOf(at, ''), words.console),
      paragraph(html`${words.byAgent} <code>service_connect_channel</code>`),
      html`<p class="warning">${words.keepIt}</p>`,
    ],
  });
}
