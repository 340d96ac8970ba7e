import { everyone, permit } from '@steward/access';

export const readOrders = permit('orders.read', everyone, 'read');
/** Who runs the shop, and the systems that send for them. */
export const manageOrders = permit('orders.manage', ['owner', 'admin', 'merchandiser', 'platform']);
/** What orders are paid and given back: who runs the shop, and who answers for the books. */
export const handleMoney = permit('orders.refund', ['owner', 'admin', 'accountant', 'merchandiser']);
/** Has providers do what was decided; no member does. */
export const askProviders = permit('orders.ask_providers', ['platform']);
