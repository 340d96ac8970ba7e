import { permit } from '@steward/access';

/** The bus' own hand in a tenant. */
export const deliverEvents = permit('events.deliver', ['platform']);
