import type { Links } from '@steward/agentic';

/** The types of a link, ACP 2026-04-17. */
const types = {
  terms: 'terms_of_use',
  privacy: 'privacy_policy',
  returns: 'return_policy',
  shipping: 'shipping_policy',
  faq: 'faq',
} as const satisfies Record<keyof Links, string>;

/** Pages of the brand that buyers are led to before they buy, in the words of the protocol. */
export const showLinks = (links: Links): { type: string; url: string }[] =>
  (Object.keys(types) as (keyof Links)[]).flatMap((page) => {
    const { [page]: url } = links;
    return url === undefined ? [] : [{ type: types[page], url }];
  });
