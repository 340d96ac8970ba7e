import type { Log } from '@steward/kernel';
import { sql, type SqlPool, type Statement } from '@steward/sql';
import { backoff, createLoop, type Worker } from '@steward/work';
import type { MailMetrics } from '../metrics.ts';
import { connections, type Transport } from '../transport/transport.ts';
import { addressDigest } from '../addresses/address.ts';
import { isAddress, pageOf, wordsOf } from '../emails/email.ts';
import type { WriteOwed } from '../emails/owe.ts';
import { classifyFailure, type Failure } from './classify.ts';
import { kept, type Timings } from './timings.ts';

interface Claimed extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly letter_id: string;
  readonly attempts: number;
  readonly queued_at: Date;
  /** Null in an email that is owed. */
  readonly recipient: string | null;
  readonly subject: string | null;
  readonly text: string | null;
  readonly html: string | null;
  readonly owed_by: string | null;
  readonly about: string | null;
  readonly reader: string | null;
}

/** What is sent. */
interface Written extends Pick<Claimed, 'html'> {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly replyTo?: string | undefined;
  readonly unsubscribe?: string | undefined;
}

interface Outcome extends Pick<Claimed, 'tenant_id' | 'letter_id' | 'attempts'> {
  readonly state: 'queued' | 'sent' | 'dead' | 'moot';
  readonly reason: string | null;
  /** Seconds. */
  readonly wait: number;
}

/** An email that a mail server refused for good. */
export interface Refusal {
  readonly tenant: string;
  /** SHA-256 of the address, in hex. */
  readonly address: string;
  /** `smtp_550` and the like. */
  readonly reason: string;
  /** It was the address that was refused, so that nothing more is sent there. */
  readonly stops: boolean;
}

export interface SenderDeps {
  readonly pool: Pick<SqlPool, 'queryAll'>;
  readonly transport: Transport;
  readonly timings: Timings;
  readonly metrics: MailMetrics;
  readonly log: Log;
  /** Called with each refusal before the email is given up; if it fails, it is called again. */
  readonly refused: (refusal: Refusal) => Promise<void>;
  /** Where the reader of the address ends the tenant's emails with one request (RFC 8058). */
  readonly unsubscribeAt: (tenant: string, address: string) => string | undefined;
  /** Writes what is owed. */
  readonly write: WriteOwed;
}

const nobody = '00000000-0000-0000-0000-000000000000';

/** Emails leased at a time: while one round trip to the database is under way, the connections have others to send. */
const mostLeased = 4 * connections;

/** How long a stop waits for emails in flight. Milliseconds. */
const grace = 5_000;

/**
 * Takes emails as long as there is a free connection, so a slow one delays no other, and stores their outcomes with the
 * next claim, in one round trip. While the server accepts nothing, one email at a time finds out whether it does again.
 * A stop resolves once running sends are finished or put back, within seconds.
 */
export function createSender({
  pool,
  transport,
  timings,
  metrics,
  log,
  refused,
  unsubscribeAt,
  write,
}: SenderDeps): Worker {
  const inFlight = new Set<Promise<void>>();
  let outcomes: Outcome[] = [];
  let turn = nobody;
  const aborting = new AbortController();
  /** Whether the last that was heard of the mail server was an answer. */
  let serverAnswers = false;
  let failures = 0;
  let pausedUntil = 0;

  const loop = createLoop({
    round: async () => {
      const claimed = await reportAndClaim(
        Date.now() < pausedUntil ? 0 : (serverAnswers ? mostLeased : 1) - inFlight.size,
      );
      // Whatever ended during the round is noted at once.
      return outcomes.length > 0 || (claimed > 0 && inFlight.size < mostLeased) ? 0 : timings.every;
    },
    failed: (err) => log.warn({ err }, 'mail: a round failed'),
    retry: { first: timings.every, longest: timings.every },
  });

  /** Stores the outcomes of emails, and takes as many as there is room for; answers how many. */
  async function reportAndClaim(room: number): Promise<number> {
    const noted = outcomes;
    outcomes = [];
    const statements: Statement[] = [];
    if (noted.length > 0) statements.push(sql`select mail.settle(${JSON.stringify(noted)}::json)`);
    if (room > 0) {
      statements.push(sql`
        select tenant_id, letter_id, attempts, queued_at, recipient, subject, text, html, owed_by, about, reader
        from mail.claim(${turn}::uuid, ${room}, make_interval(secs => ${timings.lease / 1000}))`);
    }
    if (statements.length === 0) return 0;
    let claimed: Claimed[];
    try {
      const answers = await pool.queryAll(statements);
      claimed = room > 0 ? ((answers.at(-1) ?? []) as Claimed[]) : [];
    } catch (error) {
      outcomes = [...noted, ...outcomes];
      throw error;
    }
    for (const email of claimed) {
      turn = email.tenant_id;
      const sending = deliver(email).finally(() => {
        inFlight.delete(sending);
        loop.wake();
      });
      inFlight.add(sending);
    }
    return claimed.length;
  }

  async function deliver(email: Claimed): Promise<void> {
    const { tenant_id, letter_id, attempts, queued_at } = email;
    const about = { tenant_id, letter_id, attempts };
    let written: Written | undefined;
    try {
      written = await writtenOf(email);
    } catch (err) {
      log.warn({ err, letter: letter_id }, 'a letter could not be written');
      outcomes.push({ ...about, state: 'queued', reason: 'not_written', wait: backoff(timings.wait, attempts) / 1000 });
      return;
    }
    if (written === undefined) {
      outcomes.push({ ...about, state: 'moot', reason: null, wait: 0 });
      return;
    }
    const { recipient, subject, text, html, replyTo } = written;
    // What a member must know is not ended by unsubscribing.
    const unsubscribe = email.owed_by === null ? unsubscribeAt(tenant_id, recipient) : written.unsubscribe;
    const message = { to: recipient, subject, text, html, id: letter_id, date: queued_at, unsubscribe, replyTo };
    try {
      await transport.send(message, AbortSignal.any([AbortSignal.timeout(timings.patience), aborting.signal]));
      answered();
      metrics.sent();
      outcomes.push({ ...about, state: 'sent', reason: null, wait: 0 });
    } catch (error) {
      if (aborting.signal.aborted) {
        outcomes.push({ ...about, state: 'queued', reason: null, wait: 0 });
        return;
      }
      const failure = classifyFailure(error);
      const outcome = { ...about, ...(await noteRefusal(failure, email, written)) };
      outcomes.push(outcome);
      metrics.failed(failure.reason);
      if (outcome.state === 'dead') metrics.dead(failure.reason);
      if (failure.about !== 'server' || outcome.state === 'dead') {
        log.warn(
          { letter: letter_id, attempts, code: failure.reason, outcome: outcome.state },
          'a letter was not sent',
        );
      }
    }
  }

  async function writtenOf(email: Claimed): Promise<Written | undefined> {
    const { tenant_id: tenant, owed_by: by, about, reader, recipient, subject, text, html } = email;
    if (by === null || about === null || reader === null)
      return recipient === null || subject === null || text === null ? undefined : { recipient, subject, text, html };
    const words = await write(tenant, { by, about, reader });
    if (words === undefined || !isAddress(words.to)) return undefined;
    const { replyTo, unsubscribe } = words;
    return {
      recipient: words.to,
      ...wordsOf(words),
      html: pageOf(words.html),
      replyTo: replyTo !== undefined && isAddress(replyTo) ? replyTo : undefined,
      unsubscribe,
    };
  }

  async function noteRefusal(
    failure: Failure,
    email: Claimed,
    { recipient, unsubscribe }: Written,
  ): Promise<Pick<Outcome, 'state' | 'reason' | 'wait'>> {
    const found = outcomeOf(failure, email);
    const { about, reason } = failure;
    if ((about !== 'address' && about !== 'email') || (email.owed_by !== null && unsubscribe === undefined))
      return found;
    try {
      const stops = about === 'address';
      await refused({ tenant: email.tenant_id, address: addressDigest(recipient), reason, stops });
      return found;
    } catch (err) {
      log.warn({ err, letter: email.letter_id }, 'that a letter was refused could not be noted');
      return { ...found, state: 'queued' };
    }
  }

  function answered(): void {
    serverAnswers = true;
    failures = 0;
  }

  function outcomeOf({ about, reason }: Failure, email: Claimed): Pick<Outcome, 'state' | 'reason' | 'wait'> {
    const age = Date.now() - email.queued_at.getTime();
    if (about === 'server') {
      // Longer for an email that meets it again and again: it may be the email that makes the server hang up on us.
      const wait = Math.max(pauseFor(reason), backoff(timings.pause, email.attempts)) / 1000;
      return { state: age > kept.waiting ? 'dead' : 'queued', reason, wait };
    }
    answered();
    const state = about === 'email' || about === 'address' || age > kept.refused ? 'dead' : 'queued';
    return { state, reason, wait: backoff(timings.wait, email.attempts) / 1000 };
  }

  /** Several emails that fail together are one failure of the server. Milliseconds. */
  function pauseFor(reason: string): number {
    serverAnswers = false;
    const now = Date.now();
    if (now >= pausedUntil) {
      failures += 1;
      pausedUntil = now + backoff(timings.pause, failures);
      log.warn({ code: reason, seconds: Math.round((pausedUntil - now) / 1000) }, 'the mail server takes no letters');
    }
    return pausedUntil - now;
  }

  /** Notes each email in flight as it ends. What cannot be noted is due again after its lease. */
  async function drain(): Promise<void> {
    try {
      while (inFlight.size > 0 || outcomes.length > 0) {
        if (outcomes.length === 0) await Promise.race(inFlight);
        await reportAndClaim(0);
      }
    } catch (err) {
      log.warn({ err }, 'mail: a round failed');
    }
  }

  return {
    start: () => loop.start(),
    stop: async () => {
      const timer = setTimeout(() => aborting.abort(), grace).unref();
      await loop.stop();
      await drain();
      clearTimeout(timer);
      transport.close();
    },
  };
}
