import { count, field, id, moment, nullable, oneOf, shape, text } from '@steward/contract';
import { isSequence } from '@steward/bus';
import { z } from 'zod';
import { byWebhook } from '../endpoints/webhook.ts';
import { states } from '../words.ts';

/** Twenty digits, as events have it. */
const padded = (column: string) => field(z.string(), `lpad(${column}::text, 20, '0')`);

/** One event for one webhook: of `deliveries.delivery` named `d`. */
export const delivery = shape('d', {
  webhookId: id('d.endpoint_id'),
  /** Of the event in the tenant: it names the delivery. */
  sequence: padded('d.position'),
  eventId: id(),
  type: text(),
  subject: nullable(text()),
  /** `pending`: it is sent, or tried again at `nextAttemptAt`. `failed`: nothing is tried any more. */
  state: oneOf(states),
  attempts: count(),
  nextAttemptAt: nullable(moment('d.next_at')),
  /** Of the last answer. */
  status: nullable(count()),
  error: nullable(text()),
  queuedAt: moment(),
  settledAt: nullable(moment()),
});

/** One request, and what was answered: of `deliveries.attempt` named `a`. */
export const attempt = shape('a', {
  attempt: count(),
  attemptedAt: moment(),
  status: nullable(count()),
  error: nullable(text()),
  milliseconds: count(),
  /** That were sent, with signatures, and without anything that admits; null where nothing was sent, or before they were kept. */
  headers: nullable(field(z.record(z.string(), z.string()))),
  /** The first bytes, as far as they are text. */
  answer: nullable(text()),
});

export const sequence = z
  .string()
  .refine(isSequence, { error: 'Give the `sequence` of an event', params: { code: 'invalid_format' } });

export const byDelivery = {
  ...byWebhook,
  sequence: sequence.meta({
    description: '`sequence` of the event, from service_list_webhook_deliveries.',
    maxLength: 20,
  }),
};
