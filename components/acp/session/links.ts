import { linksIn } from '@steward/agentic';

/** The types of a link, ACP 2026-04-17. */
export const showLinks = linksIn({
  terms: 'terms_of_use',
  privacy: 'privacy_policy',
  returns: 'return_policy',
  shipping: 'shipping_policy',
  faq: 'faq',
});
