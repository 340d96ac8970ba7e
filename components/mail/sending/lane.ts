import type { Log } from '@steward/kernel';
import { sql, type SqlPool, type Statement } from '@steward/sql';
import type { MailMetrics } from '../metrics.ts';
import { connections, type SmtpTransport } from '../transport/smtp.ts';
import { addressDigest } from '../addresses/address.ts';
import { judge, type Judgement } from './judge.ts';
import { backoff, kept, type Pace } from './pace.ts';

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

export interface Lane {
  /** Once in a life. */
  start(): void;
  /** Resolves once what was being sent is sent or put back, within seconds. */
  stop(): Promise<void>;
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
 */
export function createLane({ pool, transport, pace, metrics, log, refused, unsubscribeAt }: LaneDeps): Lane {
  const inFlight = new Set<Promise<void>>();
  let outcomes: Outcome[] = [];
  let turn = nobody;
  let ended: Promise<void> | undefined;
  const ending = new AbortController();
  const hurry = new AbortController();
  let wake = (): void => undefined;
  /** Whether the last that was heard of the mail server was an answer. */
  let trusted = false;
  let failures = 0;
  let pausedUntil = 0;

  const rest = async (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function round(): Promise<number> {
    const room = ending.signal.aborted || Date.now() < pausedUntil ? 0 : (trusted ? mostLeased : 1) - inFlight.size;
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
        wake();
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
      const wait = Math.max(pauseFor(reason), backoff(pace.pause, pace.longestPause, letter.attempts)) / 1000;
      return { state: age > kept.waiting ? 'dead' : 'queued', reason, wait };
    }
    answered();
    const state = about === 'letter' || about === 'address' || age > kept.refused ? 'dead' : 'queued';
    return { state, reason, wait: backoff(pace.wait, pace.longestWait, letter.attempts) / 1000 };
  }

  /** Several letters that fail together are one failure of the server. Milliseconds. */
  function pauseFor(reason: string): number {
    trusted = false;
    const now = Date.now();
    if (now >= pausedUntil) {
      failures += 1;
      pausedUntil = now + backoff(pace.pause, pace.longestPause, failures);
      log.warn({ code: reason, seconds: Math.round((pausedUntil - now) / 1000) }, 'the mail server takes no letters');
    }
    return pausedUntil - now;
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted || inFlight.size > 0 || outcomes.length > 0) {
      let claimed = 0;
      try {
        claimed = await round();
      } catch (err) {
        log.warn({ err }, 'mail: a round failed');
        // What is not noted is due again after its lease.
        if (ending.signal.aborted) return;
        await rest(pace.every);
      }
      // Whatever ended during the round is noted at once.
      if (outcomes.length === 0 && (claimed === 0 || inFlight.size >= mostLeased)) {
        if (!ending.signal.aborted || inFlight.size > 0) await rest(pace.every);
      }
    }
  }

  return {
    start: () => {
      ended ??= run();
    },
    stop: async () => {
      ending.abort();
      wake();
      const timer = setTimeout(() => hurry.abort(), grace).unref();
      await ended;
      clearTimeout(timer);
      transport.close();
    },
  };
}
