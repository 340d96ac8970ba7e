import { html, type Html } from '@steward/kernel';
import { oneLine, unlinked, type WordsOwed } from '@steward/mail';
import { type Language, mannerOf, type Manner } from '../shown/format.ts';
import type { Shipment, Shown } from '../shown/shown.ts';
import {
  addressLines,
  differenceLines,
  givenBackLines,
  nameOf,
  pageLinks,
  paymentLines,
  refundOf,
  type Summary,
  summaryOf,
  textLines,
} from '../shown/summary.ts';
import { logoImage } from '../shown/logo.ts';
import { type Words, wordsIn } from '../shown/words.ts';
import type { Fact } from './fact.ts';

type Letter = Pick<WordsOwed, 'subject' | 'text' | 'html'>;

/** What a letter is made of, in its order. */
interface Parts {
  readonly language: string;
  readonly brand: string;
  readonly logo: Html | undefined;
  /** That the order is a test, where it is one. */
  readonly test: string | undefined;
  readonly title: string;
  readonly intro: string;
  readonly shipment?: {
    readonly items: readonly string[];
    readonly tracking: readonly string[];
    readonly url: string | null;
  };
  readonly trackWords: string;
  readonly summary?: Summary;
  readonly blocks: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly links: readonly { readonly words: string; readonly url: string }[];
  readonly closing: string;
  readonly ends: readonly { readonly words: string; readonly url: string }[];
}

/** Where what a letter leads to is served. */
export interface Places {
  /** Where its buyer sees the order. */
  readonly page: string;
  /** Where whoever runs the shop sees it, in the owners' console. */
  readonly console: string;
  /** What the paths of pictures follow. */
  readonly pictures: string;
  /** Where the reader of an address that settings name says whether they want such letters. */
  readonly wish?: { readonly confirm: string | undefined; readonly unsubscribe: string } | undefined;
}

/**
 * A letter to the buyer, in the language of the order. The subject has our own words and the order's number alone: anybody can give anybody's address.
 * Undefined where what it would report is not there.
 */
export function buyerLetter(fact: Fact, shown: Shown, { page, pictures }: Omit<Places, 'console'>): Letter | undefined {
  const { order, shipments, refund, edit } = shown;
  const manner = mannerOf(order.locale);
  const words = wordsIn[manner.language];
  const shipment = 'fulfilmentId' in fact ? shipments.find(({ id }) => id === fact.fulfilmentId) : undefined;
  const at = {
    placed: order.placedAt,
    cancelled: order.cancelledAt,
    shipped: shipment?.sentAt,
    delivered: shipment?.deliveredAt,
    refunded: refund?.createdAt,
    edited: edit?.createdAt,
  }[fact.kind];
  if (at === undefined || at === null) return undefined;
  const kind = fact.kind === 'refunded' && refund?.payments.length === 0 ? 'credited' : fact.kind;
  return written(subjectOf(order, words.subject[kind](order.number)), {
    ...shell(shown, manner, words, pictures),
    title: words.order(order.number),
    intro: words.intro[kind](order.number, manner.moment(at)),
    ...(shipment === undefined
      ? { summary: refund === null ? summaryOf(shown, manner, words) : refundOf(refund, order, manner, words) }
      : { shipment: partsOf(shipment, order, manner, words) }),
    blocks: [
      ...(edit === null ? [] : [{ title: words.changed, lines: differenceLines(edit, manner, words) }]),
      ...(fact.kind === 'placed' || fact.kind === 'edited' ? payingOf(shown, manner, words) : []),
      ...(refund === null || refund.payments.length === 0
        ? []
        : [{ title: words.givenBack, lines: givenBackLines(refund, manner, words) }]),
      ...(fact.kind === 'placed' || fact.kind === 'shipped' || edit?.readdressed === true
        ? addressesOf(shown, manner, words)
        : []),
    ],
    links: [{ words: words.look, url: page }],
    closing: words.why,
    ends: pageLinks(shown.pages, manner.language).map(({ name, url }) => ({ words: name, url })),
  });
}

/** A letter to a member who runs the shop, in the language of its invoices: an order was placed, or edited. Undefined where the edit is not there. */
export function merchantLetter(
  fact: Fact,
  shown: Shown,
  language: Language,
  { page, console, pictures, wish }: Places,
): Letter | undefined {
  const { order, edit } = shown;
  if (fact.kind === 'edited' && edit === null) return undefined;
  const manner = mannerOf(language);
  const words = wordsIn[language];
  const { merchant } = words;
  const title = merchant[edit === null ? 'placed' : 'edited'](order.number);
  const happened =
    edit === null
      ? merchant.placedOn(order.number, manner.moment(order.placedAt))
      : merchant.editedOn(order.number, manner.moment(edit.createdAt));
  return written(subjectOf(order, title), {
    ...shell(shown, manner, words, pictures),
    title,
    intro: [happened, merchant.payment(words.payment[order.paymentStatus])].join(language === 'ja' ? '' : ' '),
    summary: summaryOf(shown, manner, words),
    blocks: [
      ...(edit === null ? [] : [{ title: words.changed, lines: differenceLines(edit, manner, words) }]),
      {
        title: merchant.buyer,
        lines: [
          ...(order.name === null ? [] : [unlinked(order.name)]),
          ...(order.email === null ? [] : [oneLine(order.email, 320)]),
        ],
      },
      ...payingOf(shown, manner, words),
      ...addressesOf(shown, manner, words),
      ...(order.buyerNote === null
        ? []
        : [{ title: merchant.note, lines: textLines(order.buyerNote).map((line) => unlinked(line, 2_000)) }]),
    ],
    links: [
      { words: merchant.console, url: console },
      { words: merchant.asBuyer, url: page },
    ],
    closing: merchant.unchecked,
    ends:
      wish === undefined
        ? []
        : [
            ...(wish.confirm === undefined ? [] : [{ words: merchant.confirm, url: wish.confirm }]),
            { words: merchant.end, url: wish.unsubscribe },
          ],
  });
}

const subjectOf = ({ mode }: Shown['order'], subject: string): string =>
  mode === 'test' ? `[TEST] ${subject}` : subject;

/** Programs that are dark show the logo on white: most logos are drawn for that. */
const onWhite = html`style="display:block;border:0;background:#fff;color:#000;border-radius:4px;padding:8px"`;

const shell = ({ order, brand, logo }: Shown, { language }: Manner, words: Words, pictures: string) => ({
  language,
  brand: oneLine(brand, 200),
  logo:
    logo === null
      ? undefined
      : logoImage(logo, { src: `${pictures}${logo.path}`, alt: words.logo(oneLine(brand, 200)), styled: onWhite }),
  test: order.mode === 'test' ? words.test : undefined,
  trackWords: words.track,
});

const addressesOf = ({ order }: Shown, manner: Manner, words: Words): Parts['blocks'] =>
  [
    { title: words.shipTo, address: order.shippingAddress },
    { title: words.billTo, address: order.billingAddress },
  ].flatMap(({ title, address }) =>
    address === null ? [] : [{ title, lines: addressLines(address, manner).map((line) => unlinked(line)) }],
  );

function payingOf(shown: Shown, manner: Manner, words: Words): Parts['blocks'] {
  const lines = paymentLines(shown, manner, words);
  return lines.length === 0 ? [] : [{ title: words.toPay, lines }];
}

function partsOf(shipment: Shipment, { lines }: Shown['order'], { count }: Manner, words: Words) {
  const names = new Map(lines.map((line) => [line.id, nameOf(line)]));
  const { carrier, trackingNumber, trackingUrl } = shipment;
  return {
    items: shipment.lines.map(({ lineId, quantity }) => `${count(quantity)} × ${names.get(lineId) ?? ''}`),
    tracking: trackingNumber === null ? [] : [`${words.tracking}: ${[carrier ?? '', trackingNumber].join(' ').trim()}`],
    url: trackingUrl,
  };
}

const written = (subject: string, parts: Parts): Letter => ({ subject, text: textOf(parts), html: htmlOf(parts) });

/** What people typed is indented, so that it passes for no line of ours. */
const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

const textOf = ({
  brand,
  test,
  title,
  intro,
  shipment,
  trackWords,
  summary,
  blocks,
  links,
  closing,
  ends,
}: Parts): string =>
  [
    ...(test === undefined ? [] : [test, '']),
    ...(brand === '' ? [] : [brand, '']),
    title,
    '',
    intro,
    '',
    ...(shipment === undefined
      ? []
      : [
          ...indented(shipment.items),
          '',
          ...shipment.tracking,
          ...(shipment.url === null ? [] : [`${trackWords}: ${shipment.url}`]),
          '',
        ]),
    ...(summary === undefined
      ? []
      : [
          ...summary.items.flatMap(({ name, quantity, amount }) => indented([name, `${quantity} = ${amount}`])),
          ...(summary.items.length === 0 ? [] : ['']),
          ...summary.sums.map(({ name, amount }) => `${name}: ${amount}`),
          ...summary.notes,
          '',
        ]),
    ...blocks.flatMap((block) => [`${block.title}:`, ...indented(block.lines), '']),
    ...links.map(({ words, url }) => `${words}: ${url}`),
    '',
    '-- ',
    closing,
    ...ends.map(({ words, url }) => `${words}: ${url}`),
    '',
  ].join('\n');

const cell = 'padding:8px 0;border-bottom:1px solid;vertical-align:top';
const figure = `${cell};text-align:end;padding-inline-start:16px;white-space:nowrap`;

/**
 * A whole page without colours of its own, so that it is dark where its reader reads in the dark: no script, and nothing from elsewhere but the
 * logo, without which it says the same.
 */
const htmlOf = (parts: Parts): string => {
  const { language, brand, logo, test, title, intro, shipment, trackWords, summary, blocks, links, closing, ends } =
    parts;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px 16px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5">
        <div style="max-width:36em;margin:0 auto">
          ${test === undefined ? '' : html`<p style="border:2px solid;padding:8px 12px"><strong>${test}</strong></p>`}
          ${logo ?? ''}
          ${
            brand === ''
              ? ''
              : html`<p>
                  <strong><bdi>${brand}</bdi></strong>
                </p>`
          }
          <h1 style="font-size:24px;line-height:1.2;margin:16px 0">${title}</h1>
          <p>${intro}</p>
          ${shipment === undefined ? '' : shipmentHtml(shipment, trackWords)}
          ${summary === undefined ? '' : summaryHtml(summary)}
          ${blocks.map(
            (block) =>
              html`<h2 style="font-size:16px;margin:24px 0 4px">${block.title}</h2>
                ${block.lines.map((line) => html`<div dir="auto" style="overflow-wrap:anywhere">${line}</div>`)}`,
          )}
          ${links.map(({ words, url }) => html`<p style="margin:24px 0">${button(words, url)}</p>`)}
          <p><small>${closing}</small></p>
          ${ends.map(
            ({ words, url }) =>
              html`<p>
                <small><a href="${url}" style="color:inherit">${words}</a></small>
              </p>`,
          )}
        </div>
      </body>
    </html>`.text;
};

const button = (words: string, url: string): Html =>
  html`<a
    href="${url}"
    style="display:inline-block;padding:12px 20px;border:2px solid;border-radius:8px;color:inherit;text-decoration:none"
    >${words}</a
  >`;

const shipmentHtml = ({ items, tracking, url }: NonNullable<Parts['shipment']>, words: string): Html =>
  html`<ul>
      ${items.map((item) => html`<li dir="auto">${item}</li>`)}
    </ul>
    ${tracking.map((line) => html`<p>${line}</p>`)} ${url === null ? '' : html`<p>${button(words, url)}</p>`}`;

const summaryHtml = ({ items, sums, notes }: Summary): Html =>
  html`<table role="presentation" style="border-collapse:collapse;width:100%">
      <tbody>
        ${items.map(
          ({ name, quantity, amount }) =>
            html`<tr>
              <td style="${cell};overflow-wrap:anywhere">
                <span dir="auto">${name}</span><br /><small>${quantity}</small>
              </td>
              <td style="${figure}">${amount}</td>
            </tr>`,
        )}
        ${sums.map(
          ({ name, amount, strong }) =>
            html`<tr>
              <td style="${cell}">${strong === true ? html`<strong>${name}</strong>` : name}</td>
              <td style="${figure}">${strong === true ? html`<strong>${amount}</strong>` : amount}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${notes.map((note) => html`<p>${note}</p>`)}`;
