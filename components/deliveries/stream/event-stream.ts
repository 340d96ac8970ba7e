import type { BusEvent, ReadOn } from '@steward/bus';

export interface StreamPorts {
  /** What comes behind a sequence. It throws where the caller has no access any more. */
  readonly read: (after: string) => Promise<ReadOn>;
  /** Whether the caller may see an event; asked anew where access may have changed. */
  readonly seen: () => Promise<(event: BusEvent) => boolean>;
  /** It begins behind this sequence. */
  readonly after: string;
  /** Ends once everything is told. */
  readonly finite: boolean;
  /** Milliseconds since the epoch at which the caller's token ends. */
  readonly expiresAt: number;
  readonly closed: () => void;
  /** Closes the connection. */
  readonly cut: () => void;
}

/** Between two signs of life. Milliseconds. */
const heartbeat = 15_000;
/** For how long a reader may take nothing of what it is given: whoever has no access any more may hold a place for no longer. Milliseconds. */
const patience = 30_000;
/** Milliseconds after which a client that was cut off comes again. */
const retry = 2_000;

/**
 * Events as text/event-stream, as their reader takes them. The id of each is its sequence, so that a client goes on behind the last one
 * that it had. Ends when the client leaves or takes nothing, with its token, and when its access ends.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly #ports: StreamPorts;
  #at: string;
  #seen: ((event: BusEvent) => boolean) | undefined;
  #begun = false;
  #over = false;
  /** There may be something to read. */
  #news = true;
  #beatAt = performance.now() + heartbeat;
  #wake: (() => void) | undefined;
  /** Since when the reader has something that it has not taken; of `performance.now()`. */
  #untaken: number | undefined;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#at = ports.after;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Something was announced. */
  told(): void {
    this.#news = true;
    this.#wake?.();
  }

  /** What the caller may do has changed, perhaps. */
  judgeAgain(): void {
    this.#seen = undefined;
    this.told();
  }

  /** Looks whether something is due by the clock. */
  tick(now: number): void {
    if (this.#untaken !== undefined && now - this.#untaken > patience) {
      this.#ports.cut();
      void this.return();
      return;
    }
    if (now >= this.#beatAt || Date.now() >= this.#ports.expiresAt) this.#wake?.();
  }

  /** Ends after what is being told. */
  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<string>> {
    this.#untaken = undefined;
    const result = await this.#next();
    if (result.done !== true) this.#untaken = performance.now();
    return result;
  }

  async #next(): Promise<IteratorResult<string>> {
    if (!this.#begun) {
      this.#begun = true;
      // With an id, so that a client that is cut off before it heard anything comes back to here.
      return { done: false, value: `retry: ${retry}\nid: ${this.#at}\n\n` };
    }
    while (!this.#over && Date.now() < this.#ports.expiresAt) {
      if (this.#news) {
        this.#news = false;
        const text = await this.#read();
        if (text !== '') return { done: false, value: text };
        continue;
      }
      if (this.#ports.finite) break;
      const now = performance.now();
      if (now >= this.#beatAt) {
        this.#beatAt = now + heartbeat;
        // With the id of what was passed over, so that it is not read again after a break.
        return { done: false, value: `id: ${this.#at}\n: still here\n\n` };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.return();
  }

  async return(): Promise<IteratorResult<string>> {
    this.#over = true;
    this.#wake?.();
    this.#ports.closed();
    return { done: true, value: undefined };
  }

  async #read(): Promise<string> {
    try {
      this.#seen ??= await this.#ports.seen();
      const { events, through } = await this.#ports.read(this.#at);
      // There may be more than one page.
      if (events.length > 0) this.#news = true;
      this.#at = through;
      const seen = this.#seen;
      const text = events
        .filter((event) => seen(event))
        .map(written)
        .join('');
      if (text !== '') this.#beatAt = performance.now() + heartbeat;
      return text;
    } catch {
      // Access has ended, or the database is away: the client comes again with the id that it has.
      this.#over = true;
      return '';
    }
  }
}

/** Ids and types, and nothing of what the event says. */
const written = ({ id, type, subject, occurredAt, sequence }: BusEvent): string =>
  `id: ${sequence}\ndata: ${JSON.stringify({ id, type, ...(subject === undefined ? {} : { subject }), time: occurredAt })}\n\n`;
