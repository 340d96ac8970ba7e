import type { Log } from '@steward/kernel';
import { sql, type SqlPool, type Statement } from '@steward/sql';
import { backoff, createLoop, type Worker } from '@steward/work';
import type { MailMetrics } from '../metrics.ts';
import { connections, type SmtpTransport } from '../transport/smtp.ts';
import { addressDigest } from '../addresses/address.ts';
import { judge, type Judgement } from './judge.ts';
import { kept, type Pace } from './pace.ts';

interface Claimed extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly letter_id: string;
  readonly attempts: number;
  readonly queued_at: Date;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

interface Outcome extends Pick<Claimed, 'tenant_id' | 'letter_id' | 'attempts'> {
  readonly state: 'queued' | 'sent' | 'dead';
  readonly reason: string | null;
  /** Seconds. */
  readonly wait: number;
}

/** A letter that a mail server refused for good. */
export interface Refusal {
  readonly tenant: string;
  /** SHA-256 of the address, in hex. */
  readonly address: string;
  /** `smtp_550` and the like. */
  readonly reason: string;
  /** It was the address that was refused, so that nothing more is sent there. */
  readonly stops: boolean;
}

export interface LaneDeps {
  readonly pool: Pick<SqlPool, 'fly'>;
  readonly transport: SmtpTransport;
  readonly pace: Pace;
  readonly metrics: MailMetrics;
  readonly log: Log;
  /** Is told of each refusal before the letter is given up; one that it fails to note is tried again. */
  readonly refused: (refusal: Refusal) => Promise<void>;
  /** Where whoever reads the address ends the letters of the tenant by one request (RFC 8058). */
  readonly unsubscribeAt: (tenant: string, address: string) => string | undefined;
}

const nobody = '00000000-0000-0000-0000-000000000000';

/** Letters leased at a time: while one flight to the database is under way, the connections have others to send. */
const mostLeased = 4 * connections;

/** How long a stop waits for letters in flight. Milliseconds. */
const grace = 5_000;

/**
 * Takes letters as long as there is a free connection, so a slow one holds up no other, and notes what came of them with the
 * next claim, in one flight. While the server takes nothing, one letter at a time finds out whether it does again.
 * A stop resolves once what was being sent is sent or put back, within seconds.
 */
export function createLane({ pool, transport, pace, metrics, log, refused, unsubscribeAt }: LaneDeps): Worker {
  const inFlight = new Set<Promise<void>>();
  let outcomes: Outcome[] = [];
  let turn = nobody;
  const hurry = new AbortController();
  /** Whether the last that was heard of the mail server was an answer. */
  let trusted = false;
  let failures = 0;
  let pausedUntil = 0;

  const loop = createLoop({
    round: async () => {
      const claimed = await carry(Date.now() < pausedUntil ? 0 : (trusted ? mostLeased : 1) - inFlight.size);
      // Whatever ended during the round is noted at once.
      return outcomes.length > 0 || (claimed > 0 && inFlight.size < mostLeased) ? 0 : pace.every;
    },
    failed: (err) => log.warn({ err }, 'mail: a round failed'),
    retry: { first: pace.every, longest: pace.every },
  });

  /** Notes what came of letters, and takes as many as there is room for; answers how many. */
  async function carry(room: number): Promise<number> {
    const noted = outcomes;
    outcomes = [];
    const statements: Statement[] = [];
    if (noted.length > 0) statements.push(sql`select mail.settle(${JSON.stringify(noted)}::json)`);
    if (room > 0) {
      statements.push(sql`
        select tenant_id, letter_id, attempts, queued_at, recipient, subject, text, html
        from mail.claim(${turn}::uuid, ${room}, make_interval(secs => ${pace.lease / 1000}))`);
    }
    if (statements.length === 0) return 0;
    let claimed: Claimed[];
    try {
      const answers = await pool.fly(statements);
      claimed = room > 0 ? ((answers.at(-1) ?? []) as Claimed[]) : [];
    } catch (error) {
      outcomes = [...noted, ...outcomes];
      throw error;
    }
    for (const letter of claimed) {
      turn = letter.tenant_id;
      const sending = deliver(letter).finally(() => {
        inFlight.delete(sending);
        loop.wake();
      });
      inFlight.add(sending);
    }
    return claimed.length;
  }

  async function deliver(letter: Claimed): Promise<void> {
    const { tenant_id, letter_id, attempts, queued_at, recipient, subject, text, html } = letter;
    const about = { tenant_id, letter_id, attempts };
    const unsubscribe = unsubscribeAt(tenant_id, recipient);
    const message = { to: recipient, subject, text, html, id: letter_id, date: queued_at, unsubscribe };
    try {
      await transport.send(message, AbortSignal.any([AbortSignal.timeout(pace.patience), hurry.signal]));
      answered();
      metrics.sent();
      outcomes.push({ ...about, state: 'sent', reason: null, wait: 0 });
    } catch (error) {
      if (hurry.signal.aborted) {
        outcomes.push({ ...about, state: 'queued', reason: null, wait: 0 });
        return;
      }
      const judgement = judge(error);
      const outcome = { ...about, ...(await refusalNoted(judgement, letter)) };
      outcomes.push(outcome);
      metrics.failed(judgement.reason);
      if (outcome.state === 'dead') metrics.dead(judgement.reason);
      if (judgement.about !== 'server' || outcome.state === 'dead') {
        log.warn(
          { letter: letter_id, attempts, code: judgement.reason, outcome: outcome.state },
          'a letter was not sent',
        );
      }
    }
  }

  async function refusalNoted(
    judgement: Judgement,
    letter: Claimed,
  ): Promise<Pick<Outcome, 'state' | 'reason' | 'wait'>> {
    const found = consequence(judgement, letter);
    const { about, reason } = judgement;
    if (about !== 'address' && about !== 'letter') return found;
    try {
      const stops = about === 'address';
      await refused({ tenant: letter.tenant_id, address: addressDigest(letter.recipient), reason, stops });
      return found;
    } catch (err) {
      log.warn({ err, letter: letter.letter_id }, 'that a letter was refused could not be noted');
      return { ...found, state: 'queued' };
    }
  }

  function answered(): void {
    trusted = true;
    failures = 0;
  }

  function consequence({ about, reason }: Judgement, letter: Claimed): Pick<Outcome, 'state' | 'reason' | 'wait'> {
    const age = Date.now() - letter.queued_at.getTime();
    if (about === 'server') {
      // Longer for a letter that meets it again and again: it may be the letter that makes the server hang up on us.
      const wait = Math.max(pauseFor(reason), backoff(pace.pause, letter.attempts)) / 1000;
      return { state: age > kept.waiting ? 'dead' : 'queued', reason, wait };
    }
    answered();
    const state = about === 'letter' || about === 'address' || age > kept.refused ? 'dead' : 'queued';
    return { state, reason, wait: backoff(pace.wait, letter.attempts) / 1000 };
  }

  /** Several letters that fail together are one failure of the server. Milliseconds. */
  function pauseFor(reason: string): number {
    trusted = false;
    const now = Date.now();
    if (now >= pausedUntil) {
      failures += 1;
      pausedUntil = now + backoff(pace.pause, failures);
      log.warn({ code: reason, seconds: Math.round((pausedUntil - now) / 1000) }, 'the mail server takes no letters');
    }
    return pausedUntil - now;
  }

  /** Notes each letter in flight as it ends. What cannot be noted is due again after its lease. */
  async function drain(): Promise<void> {
    try {
      while (inFlight.size > 0 || outcomes.length > 0) {
        if (outcomes.length === 0) await Promise.race(inFlight);
        await carry(0);
      }
    } catch (err) {
      log.warn({ err }, 'mail: a round failed');
    }
  }

  return {
    start: () => loop.start(),
    stop: async () => {
      const timer = setTimeout(() => hurry.abort(), grace).unref();
      await loop.stop();
      await drain();
      clearTimeout(timer);
      transport.close();
    },
  };
}
