import type { Links } from '@steward/agentic';

/** The well-known types of a link, UCP 2026-04-08 and later. */
const types = {
  terms: 'terms_of_service',
  privacy: 'privacy_policy',
  returns: 'refund_policy',
  shipping: 'shipping_policy',
  faq: 'faq',
} as const satisfies Record<keyof Links, string>;

/** Pages of the brand that buyers are led to before they buy, in the words of the protocol. */
export const showLinks = (links: Links): { type: string; url: string }[] =>
  (Object.keys(types) as (keyof Links)[]).flatMap((page) => {
    const { [page]: url } = links;
    return url === undefined ? [] : [{ type: types[page], url }];
  });
