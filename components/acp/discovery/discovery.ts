import { etagOf } from '@steward/catalogue';
import { type Guard, route, type Route } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import type { Door } from '../ports.ts';
import { base, tag } from '../rest/routes.ts';
import { documentOf } from '../session/handlers.ts';
import { version, versions } from '../versions.ts';

/** What a brand says of itself. It is alike for every brand but for the address and whether it is for tests, so that it tells strangers nothing. */
export const discoveryOf = (at: string, { mode }: Pick<Door, 'mode'>) => ({
  protocol: { name: 'acp', version, supported_versions: versions.toReversed() },
  api_base_url: at,
  transports: ['rest', 'mcp'],
  capabilities: {
    services: ['checkout', 'orders', ...(mode === 'test' ? ['delegate_payment'] : []), 'carts'],
    extensions: [{ name: 'discount' }],
    intervention_types: ['3ds'],
  },
});

const caching = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' };

/** Where a brand says what it can, and what its ways of paying are. */
export function discoveryRoutes(guard: Guard<Door>): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/.well-known/acp.json`,
      does: 'for_anyone',
      summary: 'What a brand says of itself to agents',
      tag,
      guard,
      params: z.object({ brandId: z.string() }),
      headers: { 'If-None-Match': 'ETag of what is known.' },
      answers: {
        200: { description: 'The document.', schema: z.looseObject({ api_base_url: z.string() }) },
        304: { description: 'Nothing changed.' },
      },
      handle: async ({ guard: door, request }) => {
        const text = JSON.stringify(discoveryOf(door.at, door));
        const etag = etagOf(text);
        const headers = { ...caching, etag };
        return request.headers['if-none-match'] === etag ? { status: 304, headers } : { status: 200, text, headers };
      },
    }),
    route({
      method: 'GET',
      path: `${base}/payment-handlers/:handler/:document`,
      does: 'for_anyone',
      summary: 'A JSON Schema of a way of paying',
      tag,
      guard,
      params: z.object({ brandId: z.string(), handler: z.string(), document: z.string() }),
      answers: { 200: { description: 'The schema.', schema: z.looseObject({}) } },
      errors: ['not_found'],
      handle: async ({ params: { handler, document } }) => {
        const found = documentOf(handler, document);
        if (found === undefined) throw fail('not_found', 'There is no such document of a way of paying.');
        return { status: 200, text: JSON.stringify(found), headers: caching };
      },
    }),
  ];
}
