import { linksIn } from '@steward/agentic';

/** The well-known types of a link, UCP 2026-04-08 and later. */
export const showLinks = linksIn({
  terms: 'terms_of_service',
  privacy: 'privacy_policy',
  returns: 'refund_policy',
  shipping: 'shipping_policy',
  faq: 'faq',
});
