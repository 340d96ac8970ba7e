import { type GuardedPost, NoAnswer } from '@steward/kernel';
import { backoff } from '@steward/work';
import { Order, type Ordered } from './order.ts';
import { type Answered, failed, judged, shownHeaders } from './outcome.ts';
import type { Shares } from './shares.ts';
import type { Timings } from './timings.ts';
import { createWindow } from './window.ts';

/** One delivery in hand. */
export interface InHand extends Ordered {
  /** Of the event in the outbox. */
  readonly pos: bigint;
  readonly eventId: string;
  readonly attempts: number;
  readonly body: string;
  /** Milliseconds since it was first tried, when it was fetched. */
  readonly age: number;
  /** When it happened; null: nobody signs for that. */
  readonly occurredAt: Date | null;
}

/** As the database stores it. */
export interface Outcome {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly pos: string;
  readonly place: string;
  readonly state: 'delivered' | 'pending' | 'failed';
  /** Seconds until it is tried again. */
  readonly wait: number;
  readonly attempt: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly answer: string | null;
  /** That were sent; null where nothing was. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** Failures of the endpoint in a row, after this. */
  readonly failures: number;
}

/** How an endpoint is sent to. */
export interface Target {
  readonly url: string;
  readonly version: number;
  readonly perSecond: number | null;
  /** A refusal that is the request's own (4xx) stands: it is not tried again. */
  readonly refusalsStand: boolean;
  /** What proves one request, made at the moment at which it is sent. @throws NotSent */
  readonly headersOf: (
    one: Pick<InHand, 'eventId' | 'body' | 'occurredAt'>,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

export interface LanePorts {
  readonly post: GuardedPost['post'];
  readonly shares: Shares;
  readonly timings: Timings;
  /** Milliseconds that a request may take. */
  readonly deadline: number;
  /** Called with what became of each request, in order. @param began of `performance.now()` */
  readonly ended: (lane: Lane, one: InHand, outcome: Outcome, answered: Answered, began: number) => void;
}

const userAgent = 'Steward-Webhooks/1';

/** Sends to one endpoint of which this process has the lease. */
export class Lane {
  readonly tenant: string;
  readonly endpointId: string;
  readonly order = new Order<InHand>();
  /** Everything up to here was fetched, or is left to its key. */
  cursor = 0n;
  /** There may be new deliveries; some may be due again. */
  dirty = true;
  again = true;
  /** Until it is loaded, and when the endpoint has changed. */
  target: Target | undefined;
  /** When the target was read, of `performance.now()`. */
  aimedAt = 0;
  /** How often the endpoint was told to be another one: what is being read meanwhile is not it. */
  changes = 0;
  /** The endpoint does not send any more, or another process has it. */
  stopped = false;
  /** The database knows that there is nothing to do. */
  resting = false;
  /** How often the database gave it to this process: what was asked before is no answer about it. */
  claims = 0;
  /** Of `performance.now()`. */
  leaseUntil = 0;
  heldUntil = 0;
  lastSent = performance.now();
  inFlight = 0;
  /** It took something after it had failed, which nobody has noted yet. */
  recovered = false;
  /** What is under way of it to be fetched. */
  asked: { readonly most: number; readonly again: number; readonly keys: readonly string[] } = {
    most: 0,
    again: 0,
    keys: [],
  };
  /** It is being loaded or put to rest. */
  occupied = false;
  failures: number;
  down: boolean;
  /** Milliseconds that it had failed for when it was claimed, and since when it is counted on. */
  #failing: { readonly before: number; readonly since: number } | undefined;
  #downSince = -Infinity;
  #probes: number;
  readonly #window;
  readonly #ports: LanePorts;

  constructor(
    ports: LanePorts,
    {
      tenant,
      endpointId,
      failures,
      failing,
    }: { tenant: string; endpointId: string; failures: number; failing: number },
  ) {
    this.#ports = ports;
    this.tenant = tenant;
    this.endpointId = endpointId;
    this.failures = failures;
    this.down = failures >= ports.timings.downAfter;
    this.#probes = Math.max(0, failures - ports.timings.downAfter);
    this.#failing = failures > 0 ? { before: failing, since: performance.now() } : undefined;
    this.#window = createWindow(ports.timings.most.endpoint);
    if (this.down) this.#window.close();
  }

  /** Milliseconds since its first failure without a success. */
  get failing(): number {
    return this.#failing === undefined ? 0 : this.#failing.before + performance.now() - this.#failing.since;
  }

  /** Nothing is here, under way or waiting to be stored. */
  get empty(): boolean {
    return this.order.size === 0 && this.order.wanted.size === 0 && this.inFlight === 0;
  }

  aim(target: Target): void {
    this.target = target;
    this.aimedAt = performance.now();
    this.#window.limit(target.perSecond);
  }

  /** Sends what may be sent now; answers when to look again, of `performance.now()`. */
  dispatch(now: number): number {
    const { target } = this;
    const { shares, deadline } = this.#ports;
    if (this.stopped || target === undefined || this.order.ready === 0) return Infinity;
    if (now < this.heldUntil) return this.heldUntil;
    // What is sent is answered while nobody else has the endpoint.
    if (now + deadline > this.leaseUntil) return Infinity;
    while (this.order.ready > 0 && this.inFlight < this.#window.size) {
      const next = this.#window.nextAt(now);
      if (next > now) return next;
      if (!shares.take(this.tenant)) return Infinity;
      const one = this.order.next();
      if (one === undefined) throw new Error('what is ready is not there');
      this.#window.sent(now);
      this.inFlight += 1;
      void this.#send(one, target);
      if (this.down) break;
    }
    return Infinity;
  }

  async #send(one: InHand, target: Target): Promise<void> {
    const { post, shares } = this.#ports;
    const began = performance.now();
    this.lastSent = began;
    let answered: Answered;
    let sent: Readonly<Record<string, string>> | null = null;
    try {
      const headers = { ...(await target.headersOf(one)), 'user-agent': userAgent, accept: '*/*' };
      sent = shownHeaders(headers);
      answered = judged(await post(target.url, { headers, body: one.body }), Date.now());
    } catch (error) {
      answered = failed(error);
      if (!(error instanceof NoAnswer)) sent = null;
    }
    this.inFlight -= 1;
    shares.give(this.tenant);
    const { state, wait } = answered.delivered
      ? this.#arrived(one)
      : answered.withheld || (answered.stands && target.refusalsStand)
        ? this.#ended(one, answered)
        : this.#refused(one, answered, began);
    const outcome: Outcome = {
      tenant_id: this.tenant,
      endpoint_id: this.endpointId,
      pos: String(one.pos),
      place: String(one.place),
      state,
      wait: wait / 1_000,
      attempt: one.attempts + 1,
      status: answered.status,
      error: answered.error,
      milliseconds: Math.round(performance.now() - began),
      answer: answered.answer,
      headers: sent,
      failures: this.failures,
    };
    this.#ports.ended(this, one, outcome, answered, began);
  }

  #arrived(one: InHand): Pick<Outcome, 'state' | 'wait'> {
    this.#lives();
    this.order.done(one);
    return { state: 'delivered', wait: 0 };
  }

  /** Whoever refuses one thing for good may take the next. */
  #ended(one: InHand, { withheld }: Answered): Pick<Outcome, 'state' | 'wait'> {
    if (!withheld) this.#lives();
    this.order.done(one);
    return { state: 'failed', wait: 0 };
  }

  #lives(): void {
    this.recovered ||= this.failures > 0;
    this.failures = 0;
    this.#failing = undefined;
    this.down = false;
    this.#probes = 0;
    this.#window.succeeded();
  }

  #refused(one: InHand, { wait: asked }: Answered, began: number): Pick<Outcome, 'state' | 'wait'> {
    const { again, probe, giveUp, downAfter } = this.#ports.timings;
    const now = performance.now();
    this.failures += 1;
    this.#failing ??= { before: 0, since: now };
    this.#window.failed();
    if (asked !== undefined) this.heldUntil = Math.max(this.heldUntil, now + asked);
    const wasDown = this.down;
    if (!wasDown && this.failures >= downAfter) {
      this.down = true;
      this.#downSince = now;
    }
    // Those that were under way when it was found to be down are no tries of their own.
    if (this.down && (!wasDown || began > this.#downSince)) {
      this.#probes += 1;
      this.#window.close();
      this.heldUntil = Math.max(this.heldUntil, now + backoff(probe, this.#probes));
    }
    const age = one.age + now - began;
    // While the whole endpoint is down, nothing is given up: it is paused, with everything that waits.
    if (!this.down && one.attempts > 0 && age > giveUp) {
      this.order.done(one);
      return { state: 'failed', wait: 0 };
    }
    this.order.failed(one);
    return { state: 'pending', wait: Math.max(backoff(again, one.attempts + 1), asked ?? 0) };
  }
}
