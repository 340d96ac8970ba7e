declare const declared: unique symbol;

/** Only declared events have this: `defineEvents` makes them, and `undeclared` makes a stand-in. */
export interface Declared {
  readonly [declared]: true;
}

/** What a verb records in the tenant's audit log, in the transaction of its change (contracts §6). */
export interface RecordedEvent extends Declared {
  /** Chosen by the caller when something must refer to it (a causal child); a new one otherwise. */
  readonly id?: string;
  readonly type: string;
  readonly eventVersion: string;
  readonly grammar: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly dimensionalTags?: Readonly<Record<string, string>>;
  readonly causalId?: string;
  readonly correlationId?: string;
  readonly sourceSystem?: string;
  readonly sourceEventId?: string;
  /** When it happened, in milliseconds, where whoever is trusted with that said so: a shop at a marketplace, of its orders. Default: now. */
  readonly occurredAt?: number;
  /** Why a person decides about what it tells, each time: nobody else brings it about unless people approved it. Not kept. */
  readonly takesPeople?: string;
}

/** What a verb announces to other components, in the same transaction (CloudEvents `type` and `data`). */
export interface PublishedEvent extends Declared {
  readonly id?: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly correlationId?: string;
  readonly causationId?: string;
}

/** An event that no component declares, as tests and measurements make them. */
export const undeclared = <E extends object>(event: E): E & Declared => event as E & Declared;
