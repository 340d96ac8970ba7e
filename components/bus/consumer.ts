import type { TenantTransaction } from '@steward/sql';

/** An event as consumers get it: what was published, and its place in the outbox. */
export interface BusEvent {
  readonly id: string;
  readonly tenant: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly correlationId?: string;
  /** The event that caused this one. */
  readonly causationId?: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly occurredAt: string;
  /** Order within the tenant: 20 digits, compares as a string. */
  readonly sequence: string;
}

/** Who is told of events of the outbox, each tenant's in their order. */
export interface Consumer {
  /** Lower case, stable: its cursor is kept under this name. */
  readonly name: string;
  /** Exactly these types; others are not seen. */
  readonly types: readonly string[];
  /** What a handler that keeps failing does to its tenant: wait at that event, or go on without it. */
  readonly onFailure: 'park' | 'dead-letter';
  /**
   * Runs in the transaction that also moves the tenant's place, so that its effect is had exactly once, whatever ends in
   * the middle. What it records and publishes is caused by the event. Effects outside the database are not undone with
   * it: enqueue them (mail) or key them by the event's id.
   *
   * An operator may ask for a replay, which runs it again for events that it had: write effects so that the second time
   * changes nothing, keyed by `event.id` or by what the event names (`on conflict do nothing`, `set`, never `+ 1`).
   *
   * Several events of a tenant may share one transaction; an error undoes all of them, and those before the failing one
   * are handled again at once. A statement that fails fails the event, also where the handler goes on: PostgreSQL commits
   * nothing after it. It has 30 seconds an event.
   */
  handle(tx: TenantTransaction, event: BusEvent): Promise<void>;
}
