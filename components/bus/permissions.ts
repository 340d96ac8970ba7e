import { permit } from '@steward/kernel';

/** The bus' own hand in a tenant. */
export const deliverEvents = permit('events.deliver', ['platform']);
