import { fail } from '@steward/kernel';
import { StatementFailed, type TenantTransaction } from '@steward/sql';
import type { BusEvent, Consumer } from '../consumer.ts';

/** The handler itself failed, at this event. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';
  readonly event: BusEvent;

  constructor(event: BusEvent, cause: unknown) {
    super(`the handler failed at event ${event.id}`, { cause });
    this.event = event;
  }
}

/** The handler was cut off. */
export class HandlerLate extends Error {
  override readonly name = 'HandlerLate';
  readonly code = 'handler_timeout';
  override readonly message = 'the handler took too long';
}

/**
 * One event to its handler; what it records and publishes is caused by the event.
 * @param limit milliseconds; then the connection is cut, so that nothing it still does can reach the database
 * @throws HandlerFailed
 */
export async function callHandler(
  consumer: Consumer,
  tx: TenantTransaction,
  event: BusEvent,
  limit: number,
): Promise<void> {
  const correlationId = event.correlationId ?? event.id;
  const caused: TenantTransaction = {
    ...tx,
    context: { ...tx.context, requestId: `bus-${event.id}`, correlationId, causalId: event.id },
    record: (one) => tx.record({ correlationId, causalId: event.id, ...one }),
    publish: (one) => tx.publish({ correlationId, causationId: event.id, ...one }),
  };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = fail('unavailable', 'The handler took too long.');
    // Its connection is given up, as the pool does with one that broke.
    tx.client.emit('error', error);
    reject(new HandlerLate());
  }, limit);
  try {
    await Promise.race([consumer.handle(caused, event), late]);
    if (await tx.isLost()) throw new StatementFailed();
  } catch (error) {
    throw new HandlerFailed(event, error);
  } finally {
    clearTimeout(timer);
  }
}
