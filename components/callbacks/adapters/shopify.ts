import type { Adapter, Arrived } from './adapter.ts';
import { digestOf } from './digest.ts';
import { malformed, momentOfText, optionalId, optionalText, readObject } from './json.ts';
import { equal, hmac } from './signature.ts';

/** Under these the scheme is served: the neutral ones of the interface, and Shopify's own. */
const prefixes = ['x-marketplace-', 'x-shopify-'] as const;

/** Shopify: the body is signed; topic, shop and ids are in headers, which are not. */
export const shopify: Adapter = {
  name: 'shopify',
  coverage: 'body',
  rules: {
    headers: ['X-Marketplace-Hmac-Sha256', 'X-Shopify-Hmac-Sha256'],
    signed: 'HMAC-SHA256 of the body in base64; not the headers that say topic, shop and ids',
    window: null,
    dedupe: 'Webhook-Id; else Event-Id; else topic, shop and body. The effect is once per topic and Event-Id',
    source: 'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
  },
  secret: 'Client secret of the app',
  namesAccount: true,
  recognises: ({ headers }) => prefixes.some((prefix) => headers[`${prefix}hmac-sha256`] !== undefined),
  hint: (arrived) => shopOf(arrived),
  verify: ({ body, headers }, { secret }) => {
    const [given, another] = prefixes.flatMap((prefix) => headers[`${prefix}hmac-sha256`] ?? []);
    if (given === undefined || another !== undefined)
      throw malformed('There must be exactly one of X-Marketplace-Hmac-Sha256 and X-Shopify-Hmac-Sha256.');
    return equal(given, hmac('sha256', secret, body, 'base64'));
  },
  read: (arrived) => {
    const data = readObject(arrived.body);
    const topic = optionalText(named(arrived, 'topic'));
    const shop = shopOf(arrived);
    if (topic === undefined || shop === undefined)
      throw malformed(
        'Topic and Shop-Domain must be there: a topic such as orders/create, and the shop as one.myshopify.com.',
      );
    // A body that names its shop is of no other.
    const own = optionalText(data['myshopify_domain']) ?? optionalText(data['shop_domain']);
    if (own !== undefined && own.toLowerCase() !== shop)
      throw malformed('The body is of another shop than Shop-Domain.');
    const eventId = optionalText(named(arrived, 'event-id'));
    const deliveryId =
      optionalText(named(arrived, 'webhook-id')) ?? eventId ?? digestOf(topic, shop, arrived.body.toString('latin1'));
    return [
      {
        deliveryId,
        eventId: eventId ?? deliveryId,
        account: shop,
        topic,
        live: null,
        resource: resourceOf(topic, data),
        occurredAt: momentOfText(data['updated_at']) ?? momentOfText(named(arrived, 'triggered-at')),
        data,
      },
    ];
  },
};

/** By the signature; of what was kept, which has none any more, by the topic. */
const prefixOf = ({ headers }: Arrived): string =>
  prefixes.find((prefix) => headers[`${prefix}hmac-sha256`] !== undefined) ??
  prefixes.find((prefix) => headers[`${prefix}topic`] !== undefined) ??
  prefixes[0];

const named = (arrived: Arrived, name: string): string | undefined => arrived.headers[`${prefixOf(arrived)}${name}`];

/** Shopify's shops are below one name; under the interface's own headers a marketplace may have others. */
function shopOf(arrived: Arrived): string | undefined {
  const shop = named(arrived, 'shop-domain')?.toLowerCase();
  if (shop === undefined || shop.length > 200) return undefined;
  const form = prefixOf(arrived) === 'x-shopify-' ? /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/ : /^[a-z0-9][a-z0-9.-]*$/;
  return form.test(shop) ? shop : undefined;
}

/** What becomes of an order is told under several topics. */
function resourceOf(topic: string, data: Readonly<Record<string, unknown>>): string | null {
  const noun = topic.split('/', 1)[0] ?? topic;
  const order = optionalId(noun === 'orders' ? data['id'] : data['order_id']);
  if (order !== undefined) return `orders/${order}`;
  const id = optionalId(data['id']) ?? optionalId(data['inventory_item_id']);
  return id === undefined || noun.length > 100 ? null : `${noun}/${id.slice(0, 90)}`;
}
