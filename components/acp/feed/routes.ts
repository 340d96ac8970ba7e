import { baseCurrency } from '@steward/accounting';
import { arrivedOf } from '@steward/agentic';
import { publishedAfter, type PublishedProduct } from '@steward/catalogue';
import { type Guard, route, type Route } from '@steward/contract';
import type { Request } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { buyable } from '@steward/stock';
import { z } from 'zod';
import type { AcpPorts, Door } from '../ports.ts';
import { serveAgents } from '../permissions.ts';
import { base, tag } from '../rest/routes.ts';
import { showProduct } from './show.ts';

type Ports = Pick<AcpPorts, 'addresses' | 'agentic' | 'limiter' | 'tenancy'>;

/** A whole catalogue is read for each. */
const perAgent = { name: 'acp-feed', allowed: 60, windowSeconds: 3_600 };

const headers = {
  Authorization: '`Bearer` and the key that the shop issued. Required.',
  Signature: 'As for REST. Required where orders are live.',
  Timestamp: 'RFC 3339, of what is signed.',
};
const caching = { 'cache-control': 'private, no-store' };

/** What a brand sells, as the two files of a whole feed: a platform that keeps feeds fetches both and replaces what it had. */
export function feedRoutes(guard: Guard<Door>, { addresses, agentic, limiter, tenancy }: Ports): Route[] {
  const admitted = async (door: Door, request: Request): Promise<TenantContext> => {
    const agent = await agentic.admitBearer(door, arrivedOf(request, undefined, addresses.commerce), undefined);
    const { refusal } = await limiter.take([{ limit: perAgent, key: agent.id }]);
    if (refusal !== undefined) throw refusal;
    const who = { type: 'agent', id: `agent:${agent.id}` } as const;
    return tenancy.systemContext({
      tenant: door.tenant,
      chain: [who],
      subject: who,
      caller: who,
      requestId: request.id,
      correlationId: request.id,
    });
  };
  const of = { guard, tag, params: z.object({ brandId: z.string() }), headers, does: 'for_anyone' } as const;
  return [
    route({
      ...of,
      method: 'GET',
      path: `${base}/feeds/metadata.json`,
      summary: 'The feed of what a brand sells',
      answers: { 200: { description: 'As of now.', schema: z.object({ id: z.string(), updated_at: z.string() }) } },
      errors: ['rate_limited'],
      handle: async ({ guard: door, request }) => {
        await admitted(door, request);
        const body = { id: door.brandId, updated_at: new Date().toISOString() };
        return { status: 200, text: JSON.stringify(body), headers: caching };
      },
    }),
    route({
      ...of,
      method: 'GET',
      path: `${base}/feeds/products.jsonl`,
      summary: 'Everything that a brand sells, a product a line',
      answers: { 200: { description: 'All products that are published.', types: ['application/jsonl'] } },
      errors: ['rate_limited'],
      handle: async ({ guard: door, request }) => {
        const context = await admitted(door, request);
        const page = async (after?: string): Promise<PublishedProduct[]> =>
          publishedAfter(context, door.brandId, after, {
            mediaAt: addresses.commerce,
            buyable: (variantId) => buyable(variantId, door.mode),
          });
        const [books] = await context.require(serveAgents).read(baseCurrency(door.tenant));
        const currency = String(books?.['base_currency']);
        // What fails is answered as a failure as long as nothing was sent.
        const first = await page();
        return { status: 200, stream: lines(first, page, currency), type: 'application/jsonl', headers: caching };
      },
    }),
  ];
}

async function* lines(
  first: readonly PublishedProduct[],
  page: (after: string) => Promise<readonly PublishedProduct[]>,
  currency: string,
): AsyncGenerator<string> {
  for (let products = first; ;) {
    for (const product of products) {
      const shown = showProduct(product, currency);
      if (shown !== undefined) yield `${JSON.stringify(shown)}\n`;
    }
    const last = products.at(-1);
    if (last === undefined) return;
    products = await page(last.id);
  }
}
