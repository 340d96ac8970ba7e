import { type Guard, route, type Route } from '@steward/contract';
import { fail, type Request } from '@steward/kernel';
import { type OrderTokens, publicOrder, readPublicOrder } from '@steward/orders';
import type { Tenancy } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import { z } from 'zod';
import { serveShop } from '../permissions.ts';
import { keyHeader } from './routes.ts';
import { visitorOf } from './visitor.ts';

/** Orders of buyers. Each is reached with its own token alone, and only under a site of its brand. */
export function orderRoutes(
  guard: Guard<SiteKey>,
  { tenancy, orderTokens }: { readonly tenancy: Tenancy; readonly orderTokens: Pick<OrderTokens, 'tenantOf'> },
): Route[] {
  const visiting = (key: SiteKey, { id }: Request) => tenancy.systemContext(visitorOf(key, id));
  return [
    route({
      method: 'GET',
      path: '/storefront/v1/orders/:orderId',
      does: 'for_anyone',
      summary: 'An order as its buyer may see it',
      description: 'Opened by the `token` of `order` in the completed checkout, which is in its `statusUrl` too.',
      tag: 'Storefront',
      guard,
      headers: { ...keyHeader, 'X-Order-Token': 'The token of the order. Required.' },
      params: z.strictObject({ orderId: z.uuid() }),
      answers: { 200: { description: 'The order.', schema: publicOrder } },
      errors: ['not_found'],
      handle: async ({ guard: key, params: { orderId }, request }) => {
        const token = request.headers['x-order-token'];
        const whose = typeof token === 'string' ? orderTokens.tenantOf(token, orderId) : undefined;
        const found =
          whose === key.tenant
            ? await readPublicOrder(visiting(key, request).require(serveShop), { orderId, brandId: key.brandId })
            : undefined;
        // Orders of test keys are seen by test keys alone.
        if (found === undefined || found.mode !== key.mode)
          throw fail(
            'not_found',
            'There is no such order for this key and token: send the id and the token that the completed checkout has in `order`.',
          );
        return { status: 200, body: found, headers: { 'cache-control': 'private, no-store' } };
      },
    }),
  ];
}
