import type { HoldingContacts, SellerPorts } from '@steward/accounting';

/** What carrying out needs of others. */
export type BookPorts = HoldingContacts & SellerPorts;
