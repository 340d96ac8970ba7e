import type { Ask } from '../shopify/client.ts';
import { idOf, type Members, membersOf, nextOf, nodesOf, UnexpectedAnswer } from '../shopify/read.ts';

/** Things on one page: each is asked for by itself. */
const pageSize = 10;

/** A page of ids in the shop. */
export interface Page {
  readonly ids: readonly string[];
  /** Undefined: it was the last one. */
  readonly next: string | undefined;
  /** How many there are in all, on the first page. */
  readonly total: number | null;
}

const queries = {
  products: `query Products($after: String) { list: products(first: ${pageSize}, after: $after, sortKey: ID) {
    pageInfo { hasNextPage endCursor } nodes { id } } count: productsCount { count } }`,
  orders: `query Orders($after: String) { list: orders(first: ${pageSize}, after: $after, query: "status:open", sortKey: ID) {
    pageInfo { hasNextPage endCursor } nodes { id } } count: ordersCount(query: "status:open") { count } }`,
} as const;

export async function readPage(ask: Ask, kind: keyof typeof queries, after: string | null): Promise<Page> {
  const { list, count } = await ask(queries[kind], after === null ? {} : { after });
  if (typeof list !== 'object' || list === null) throw new UnexpectedAnswer('Shopify answered no list');
  const { count: total } = membersOf(count);
  return {
    ids: nodesOf(list).map(({ id }) => idOf(id)),
    next: nextOf(list),
    total: typeof total === 'number' && Number.isSafeInteger(total) ? total : null,
  };
}

/** What is told of a shop. Requests of the law (privacy) are registered with the app itself. */
const topics = [
  'ORDERS_CREATE',
  'ORDERS_UPDATED',
  'ORDERS_CANCELLED',
  'REFUNDS_CREATE',
  'PRODUCTS_CREATE',
  'PRODUCTS_UPDATE',
  'PRODUCTS_DELETE',
  'APP_UNINSTALLED',
] as const;
/** The same of stock, where it is kept in step. */
const ofStock = 'INVENTORY_LEVELS_UPDATE';

const registered = `query Webhooks($after: String) { webhookSubscriptions(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor } nodes { topic uri } } }`;
const register = `mutation Register($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) { userErrors { message } } }`;

/** Registers the webhooks that are missing; answers how many there are. */
export async function registerWebhooks(ask: Ask, uri: string, withStock: boolean): Promise<number> {
  const wanted = withStock ? [...topics, ofStock] : topics;
  const there = new Set<string>();
  for (let after: string | undefined, pages = 0; pages === 0 || (after !== undefined && pages < 10); pages += 1) {
    const { webhookSubscriptions } = await ask(registered, after === undefined ? {} : { after });
    for (const one of nodesOf(webhookSubscriptions)) if (one['uri'] === uri) there.add(String(one['topic']));
    after = nextOf(webhookSubscriptions);
  }
  for (const topic of wanted) {
    if (there.has(topic)) continue;
    const made = membersOf((await ask(register, { topic, uri }))['webhookSubscriptionCreate']);
    const faults = made['userErrors'] as readonly Members[] | undefined;
    if (!Array.isArray(faults) || faults.length > 0)
      throw new UnexpectedAnswer(`Shopify did not register the webhook ${topic}`);
  }
  return wanted.length;
}
