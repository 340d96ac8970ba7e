import type { HoldingContacts } from '@steward/accounting';

/** What carrying out needs of others. */
export type BookPorts = HoldingContacts;
