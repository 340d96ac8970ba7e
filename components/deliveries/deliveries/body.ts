import type { BusEvent } from '@steward/bus';

/** What is sent of an event, in the shape of Standard Webhooks: ids and what happened, no personal data. */
export const bodyOf = ({ type, occurredAt, tenant, sequence, subject, data }: BusEvent): string =>
  JSON.stringify({
    type,
    timestamp: occurredAt,
    tenantId: tenant,
    sequence,
    ...(subject === undefined ? {} : { subject }),
    data,
  });
