import { everyone, permit } from '@steward/access';

/** The storefront acts for no person: the key represents the site, and the platform writes for it. */
export const submitForms = permit('submissions.submit', ['platform']);
/** What a page of a site reads of stock: no member asks. */
export const serveShop = permit('storefront.serve', ['platform']);
/** Erasing somebody: for those who answer for the tenant. */
export const erasePeople = permit('people.erase', ['owner', 'admin', 'platform'], 'read');
/** Every member reads what was submitted to their organization. */
export const readSubmissions = permit('submissions.read', everyone, 'read');
