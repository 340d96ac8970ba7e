import { everyone, permit } from '@steward/access';

export const readStock = permit('stock.read', everyone, 'read');
/** Who runs the shop, and the systems that count for them. */
export const manageStock = permit('stock.manage', ['owner', 'admin', 'merchandiser', 'developer', 'platform']);
