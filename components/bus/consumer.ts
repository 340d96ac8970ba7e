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

/** A reader of the outbox, which gets each tenant's events in order. */
export interface Consumer {
  /** Lower case, stable: its cursor is kept under this name. */
  readonly name: string;
  /** Exactly these types; others are not seen. */
  readonly types: readonly string[];
  /** If the handler keeps failing: the tenant waits at that event, or continues without it. */
  readonly onFailure: 'park' | 'dead-letter';
  /**
   * Milliseconds from one round to the next at least, for what nobody waits for: a round costs about as much as handling a few
   * events, so many share it. What comes after a pause is handled at once.
   */
  readonly gathers?: number;
  /**
   * Runs in the transaction that also moves the tenant's position, so its effect happens exactly once, also after a crash. What it
   * records and publishes has the event as its cause. Effects outside the database are not undone with it: enqueue them (mail) or
   * key them by the event's id.
   *
   * An operator may ask for a replay, which runs it again for handled events. So write effects that change nothing the second time,
   * keyed by `event.id` or by what the event names (`on conflict do nothing`, `set`, never `+ 1`).
   *
   * Several events of a tenant may share one transaction. An error undoes all of them, and the events before the failing one
   * are handled again at once. A failed statement fails the event, even if the handler continues: PostgreSQL commits
   * nothing after it. A handler has 30 seconds an event.
   */
  handle(tx: TenantTransaction, event: BusEvent): Promise<void>;
}
