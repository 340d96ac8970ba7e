import {
  html,
  type Html,
  isId,
  navigation,
  pageText,
  picturedHeaders,
  type Reply,
  type Request,
  type Scope,
  unseen,
} from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Order } from '../orders/order.ts';
import type { Paper } from '../ports.ts';
import { mannerOf, type Manner } from '../shown/format.ts';
import { logoImage } from '../shown/logo.ts';
import type { Shipment, Shown } from '../shown/shown.ts';
import { addressLines, nameOf, pageLinks, paymentLines, type Sum, summaryOf } from '../shown/summary.ts';
import { type Words, wordsIn } from '../shown/words.ts';
import type { OrderTokens } from './token.ts';

const reads = { name: 'order-page', allowed: 60, windowSeconds: 60 };

export interface OrderPageOptions {
  readonly tokens: OrderTokens;
  readonly limiter: Limiter;
  readonly open: (
    tenant: string,
    orderId: string,
  ) => {
    /** Undefined where there is no such order any more. */
    readonly read: () => Promise<Shown | undefined>;
    readonly papers: (order: Order) => Promise<readonly Paper[]>;
    readonly draw: (
      order: Order,
      id: string,
      left: AbortSignal,
    ) => Promise<{ readonly name: string; readonly bytes: Buffer } | undefined>;
  };
}

/** Where the buyer of an order sees how it stands, by the link of their letters: no login, no script. */
export function orderPages(scope: Scope, { tokens, limiter, open }: OrderPageOptions): void {
  /** Undefined where the link is not of this order, or there is no such order any more. */
  const linked = async ({ params, query }: Request) => {
    const { orderId } = params as { orderId: string };
    const { t: token } = query as { t?: unknown };
    if (typeof token !== 'string' || !isId(orderId)) return undefined;
    const tenant = tokens.tenantOf(token, orderId);
    if (tenant === undefined) return undefined;
    const { refusal } = await limiter.take([{ limit: reads, key: orderId }]);
    if (refusal !== undefined) throw refusal;
    const { read, papers, draw } = open(tenant, orderId);
    const shown = await read();
    return shown === undefined ? undefined : { shown, token, papers, draw };
  };
  scope.get('/orders/:orderId', async (request, reply) => {
    const found = await linked(request);
    if (found === undefined) return gone(reply, request.headers['accept-language']);
    const { shown, token, papers } = found;
    const links = (await papers(shown.order)).map((paper) => ({
      ...paper,
      // Beside the page, whatever name it was reached by.
      href: `${shown.order.id}/papers/${paper.id}?t=${token}`,
    }));
    return send(reply, shown, links);
  });
  scope.get('/orders/:orderId/papers/:paperId', async (request, reply) => {
    const { paperId } = request.params as { paperId: string };
    const found = isId(paperId) ? await linked(request) : undefined;
    const drawn = await found?.draw(found.shown.order, paperId, request.signal);
    if (drawn === undefined) return gone(reply, request.headers['accept-language']);
    return reply
      .code(200)
      .headers(unseen)
      .header('content-disposition', `inline; filename="${drawn.name}.pdf"`)
      .type('application/pdf')
      .send(drawn.bytes);
  });
}

type PaperLink = Paper & { readonly href: string };

function gone(reply: Reply, accepted: string | undefined): Reply {
  const { language } = mannerOf(accepted?.split(/[,;]/)[0]?.trim() ?? null);
  const [title, text] = wordsIn[language].gone;
  const page = pageText(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
    language,
  );
  return reply.code(404).headers(picturedHeaders).send(page);
}

function send(reply: Reply, shown: Shown, papers: readonly PaperLink[]): Reply {
  const manner = mannerOf(shown.order.locale);
  const words = wordsIn[manner.language];
  const page = pageText(words.order(shown.order.number), pageOf(shown, papers, manner, words), manner.language);
  return reply.code(200).headers(picturedHeaders).send(page);
}

function pageOf(shown: Shown, papers: readonly PaperLink[], manner: Manner, words: Words): Html {
  const { order, brand, logo, shipments } = shown;
  const paying = paymentLines(shown, manner, words);
  const { items, sums, notes } = summaryOf(shown, manner, words);
  const states =
    order.status === 'cancelled'
      ? [words.status.cancelled, words.payment[order.paymentStatus]]
      : [words.payment[order.paymentStatus], words.fulfilment[order.fulfilmentStatus]];
  // By a path, so that the picture is the page's own whatever name the page was reached by.
  return html`${
      logo === null
        ? ''
        : logoImage(logo, { src: `..${logo.path}`, alt: words.logo(brand), styled: html`class="logo"` })
    }
    <p><bdi>${brand}</bdi></p>
    <h1>${words.order(order.number)}</h1>
    ${order.mode === 'test' ? html`<p class="warning">${words.test}</p>` : ''}
    <dl>
      <dt>${words.placedAt}</dt>
      <dd>${manner.moment(order.placedAt)}</dd>
      <dt>${words.state}</dt>
      <dd>${states.join(' · ')}</dd>
    </dl>
    <h2>${words.items}</h2>
    <table>
      <tbody>
        ${items.map(
          ({ name, quantity, amount }) =>
            html`<tr>
              <td dir="auto">${name}</td>
              <td class="amount">${quantity}</td>
              <td class="amount">${amount}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <h2>${words.total}</h2>
    <table>
      <tbody>
        ${sums.map(sumRow)}
      </tbody>
    </table>
    ${notes.map((note) => html`<p>${note}</p>`)}
    ${
      paying.length === 0
        ? ''
        : html`<h2>${words.toPay}</h2>
            ${paying.map((line) => html`<div dir="auto">${line}</div>`)}`
    }
    ${
      papers.length === 0
        ? ''
        : html`<h2>${words.papers}</h2>
            ${papers.map(
              ({ kind, number, href }) =>
                html`<p>
                  <a href="${href}">${number === null ? words.preview : `${words.paper[kind]} ${number}`} (PDF)</a>
                </p>`,
            )}`
    }
    ${shipments.map((one) => shipmentOf(one, order, manner, words))}
    ${addressOf(words.shipTo, order.shippingAddress, manner)} ${addressOf(words.billTo, order.billingAddress, manner)}
    ${navigation(pageLinks(shown.pages, manner.language))}`;
}

const sumRow = ({ name, amount, strong }: Sum): Html =>
  html`<tr>
    <th scope="row" class="${strong === true ? 'total' : 'plain'}">${name}</th>
    <td class="amount">${strong === true ? html`<strong>${amount}</strong>` : amount}</td>
  </tr>`;

function shipmentOf(shipment: Shipment, { lines }: Shown['order'], { moment, count }: Manner, words: Words): Html {
  const names = new Map(lines.map((line) => [line.id, nameOf(line)]));
  const { carrier, trackingNumber, trackingUrl, sentAt } = shipment;
  return html`<h2>${words.shipment}</h2>
    <p>${moment(sentAt)}</p>
    <ul>
      ${shipment.lines.map(
        ({ lineId, quantity }) => html`<li dir="auto">${count(quantity)} × ${names.get(lineId) ?? ''}</li>`,
      )}
    </ul>
    ${
      trackingNumber === null
        ? ''
        : html`<p>${words.tracking}: <bdi>${[carrier ?? '', trackingNumber].join(' ').trim()}</bdi></p>`
    }
    ${trackingUrl === null ? '' : html`<p><a href="${trackingUrl}" rel="noreferrer">${words.track}</a></p>`}`;
}

const addressOf = (title: string, address: Shown['order']['shippingAddress'], manner: Manner): Html =>
  address === null
    ? html``
    : html`<h2>${title}</h2>
        ${addressLines(address, manner).map((line) => html`<div dir="auto">${line}</div>`)}`;
