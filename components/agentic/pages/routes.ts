import { etagOf, listPublished } from '@steward/catalogue';
import { type Answer, type Guard, route, type Route } from '@steward/contract';
import { type ClientAddress, createFreshCache, fail, isId, limitBucket, type Request } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Tenancy, TenantContext } from '@steward/sql';
import { buyable } from '@steward/stock';
import { z } from 'zod';
import { type Doors, freshFor, type OpenDoor } from '../doors/find.ts';
import { admitAgents } from '../permissions.ts';
import type { AgenticPorts } from '../ports.ts';
import { protocols } from '../words.ts';
import { apiCatalog, catalogPath } from './catalog.ts';
import { llmsText, mostListed } from './llms.ts';
import { type Places, placesOf } from './places.ts';

const perAddress = { name: 'brand-pages', allowed: 300, windowSeconds: 60 };
const caching = 'public, max-age=60';
const base = '/agentic/:brandId';

interface Brand {
  readonly brandId: string;
  readonly doors: readonly [OpenDoor, ...OpenDoor[]];
  readonly places: Places;
}

export interface PagePorts extends Pick<AgenticPorts, 'brandName'> {
  readonly doors: Pick<Doors, 'find'>;
  readonly contextOf: (tenant: string) => TenantContext;
  readonly commerce: string;
  readonly tenancy: Pick<Tenancy, 'onWrite'>;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly clientAddress: ClientAddress;
}

/** What a brand that sells to agents says to those who look for it without knowing a protocol. */
export function pageRoutes({
  doors,
  contextOf,
  commerce,
  tenancy,
  limiter,
  clientAddress,
  brandName,
}: PagePorts): Route[] {
  const guard: Guard<Brand> = {
    security: 'none',
    errors: ['rate_limited', 'not_found'],
    admit: async ({ params, raw }) => {
      const { refusal } = await limiter.take([{ limit: perAddress, key: limitBucket(clientAddress(raw)) }]);
      if (refusal !== undefined) throw refusal;
      const { brandId = '' } = params as { brandId?: string };
      const found = isId(brandId)
        ? await Promise.all(protocols.map(async (protocol) => doors.find(brandId, protocol)))
        : [];
      const [first, ...others] = found.filter((one) => one !== undefined);
      if (first === undefined) throw fail('not_found', 'No brand sells to agents at this address.');
      return { brandId, doors: [first, ...others], places: placesOf(raw, commerce, brandId) };
    },
  };

  const texts = createFreshCache<{ readonly tenant: string; readonly text: string }>({
    milliseconds: freshFor,
    capacity: 16 * 1024 * 1024,
    weigh: ({ text }) => text.length + 200,
    missing: 1,
  });
  tenancy.onWrite((tenant) => texts.forget((one) => one.tenant === tenant));
  const llms = async ({ brandId, doors: open, places }: Brand): Promise<string | undefined> => {
    const [{ tenant }] = open;
    const mode = open.some((one) => one.mode === 'live') ? 'live' : 'test';
    const named = `${brandId} ${places.at} ${open.map((one) => `${one.protocol} ${one.mode}`).join(' ')}`;
    const found = await texts.get(named, async () => {
      const context = contextOf(tenant);
      const { read } = context.require(admitAgents);
      const name = await brandName({ context, read }, brandId);
      if (name === undefined) return { value: undefined };
      const { items, nextCursor } = await listPublished(
        context,
        brandId,
        { limit: mostListed },
        { mediaAt: commerce, buyable: (variantId) => buyable(variantId, mode) },
      );
      return { value: { tenant, text: llmsText(name, open, places, { items, more: nextCursor !== null }) } };
    });
    return found?.text;
  };

  const sent = (
    request: Request,
    text: string,
    type: string,
    headers: Readonly<Record<string, string>> = {},
  ): Answer => {
    const etag = etagOf(text);
    const all = { etag, 'cache-control': caching, 'access-control-allow-origin': '*', ...headers };
    return request.headers['if-none-match'] === etag
      ? { status: 304, headers: all }
      : { status: 200, text, type, headers: all };
  };
  const common = {
    method: 'GET',
    does: 'for_anyone',
    tag: 'Agentic commerce',
    guard,
    params: z.object({ brandId: z.string() }),
    headers: { 'If-None-Match': 'ETag of what is known.' },
    errors: ['not_found'],
  } as const;
  return [
    route({
      ...common,
      path: `${base}/llms.txt`,
      summary: 'What a brand sells, and how agents buy it, as text',
      answers: {
        200: { description: 'Markdown, as llmstxt.org describes it.', types: ['text/plain'] },
        304: { description: 'Nothing changed.' },
      },
      handle: async ({ guard: brand, request }) => {
        const text = await llms(brand);
        if (text === undefined) throw fail('not_found', 'No brand sells to agents at this address.');
        return sent(request, text, 'text/plain; charset=utf-8');
      },
    }),
    route({
      ...common,
      path: `${base}${catalogPath}`,
      summary: 'Which interfaces a brand has for agents',
      answers: {
        200: { description: 'Links, as RFC 9727 describes them.', types: ['application/linkset+json'] },
        304: { description: 'Nothing changed.' },
      },
      handle: async ({ guard: { doors: open, places }, request }) =>
        sent(
          request,
          JSON.stringify(apiCatalog(open, places)),
          'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
          { link: `<${places.at}${catalogPath}>; rel="api-catalog"` },
        ),
    }),
  ];
}
