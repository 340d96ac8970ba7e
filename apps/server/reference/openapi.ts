import { openApiDocument, type Route } from '@steward/contract';
import type { Addresses } from '@steward/kernel';
import { errorTables } from './errors.ts';

/** OpenAPI 3.1 of every REST route, each component under its own server. */
export function openApi(
  routes: Readonly<Record<'portal' | 'accounting' | 'commerce' | 'studio', readonly Route[]>>,
  addresses: Addresses,
  version: string,
): object {
  const codes = Object.assign({}, ...Object.values(errorTables())) as Record<string, readonly [number, string]>;
  return openApiDocument({
    title: 'Steward',
    version,
    description:
      'REST of the portal, of accounting, of the studio and of commerce with its storefront. Tools are MCP, queries are GraphQL: see their own references.',
    servers: {
      portal: addresses.portal,
      accounting: addresses.accounting,
      commerce: addresses.commerce,
      studio: addresses.studio,
    },
    routes,
    codes,
  });
}
