import { everyone, permit } from '@steward/access';

/** The storefront acts for no person: the key represents the site, and the platform writes for it. */
export const submitForms = permit('submissions.submit', ['platform']);
/** Erasing somebody: for those who answer for the tenant. */
export const erasePeople = permit('people.erase', ['owner', 'admin', 'platform'], 'read');
/** Every member reads what was submitted to their organization. */
export const readSubmissions = permit('submissions.read', everyone, 'read');
