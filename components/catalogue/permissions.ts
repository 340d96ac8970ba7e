import { everyone, permit } from '@steward/access';

export const readCatalogue = permit('catalogue.read', everyone, 'read');
/** Products, prices, collections, and which brands sell them: who runs the shop, and who builds its pages. */
export const manageCatalogue = permit('catalogue.manage', ['owner', 'admin', 'merchandiser', 'developer', 'platform']);
/** The storefront's own reading, behind a key and without a member. */
export const serveCatalogue = permit('catalogue.serve', ['platform']);
