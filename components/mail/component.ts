import type { Log, Metrics } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import type { WriteOwed } from './emails/owe.ts';
import { mailMetrics } from './metrics.ts';
import { createSender, type Refusal } from './sending/sender.ts';
import { defaultTimings, type Timings } from './sending/timings.ts';
import type { MailSettings } from './settings.ts';
import { createCleanup } from './sending/cleanup.ts';
import { openTransport, type TransportSettings } from './transport/transport.ts';

export const name = 'mail';
export { mailSettings as settings } from './settings.ts';
export type { MailSettings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { enqueue } from './emails/enqueue.ts';
export { owe, owedKey, renew, type Owed, type WordsOwed } from './emails/owe.ts';
export { selectOwedAbout } from './emails/about.ts';
export { isNews } from './emails/news.ts';
export { eraseEmails } from './emails/erase.ts';
export {
  addressDigest,
  addressStates,
  foldedAddress,
  isWritable,
  markAsked,
  markConfirmed,
  markFreed,
  markRefused,
  markResubscribed,
  markUnsubscribed,
  type AddressState,
} from './addresses/address.ts';
export { noteReturned, reportReturned } from './addresses/returned.ts';
export type { Refusal } from './sending/sender.ts';
export { isAddress, lines, oneLine, unlinked, type Email } from './emails/email.ts';
export { emailsGivenUp, retryMail, summarizeMail, type GivenUp, type MailCount } from './emails/operate.ts';

export interface MailDeps {
  readonly pool: SqlPool;
  /** Undefined: nothing is sent; emails wait for three days, in case a mail server is configured. */
  readonly sends: TransportSettings | undefined;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly log: Log;
  readonly timings?: Partial<Timings>;
  /** Called with each email that is refused for good, before it is given up; in a transaction of its tenant it may `markRefused`. */
  readonly refused?: (refusal: Refusal) => Promise<void>;
  /** Where emails of the tenant to the address are ended by one request (RFC 8058). */
  readonly unsubscribeAt?: (tenant: string, address: string) => string | undefined;
  /** Writes owed emails when they are due. Without it, owed emails are not sent. */
  readonly write?: WriteOwed;
}

export interface Mail {
  start(): void;
  /** Resolves once what was being sent is sent or put back, within seconds. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface MailPorts extends Pick<MailDeps, 'pool' | 'metrics' | 'log'> {
  readonly config: MailSettings;
  readonly refused: NonNullable<MailDeps['refused']>;
  readonly unsubscribeAt: NonNullable<MailDeps['unsubscribeAt']>;
  readonly write: WriteOwed;
}

export const create = ({ config, ...ports }: MailPorts): Mail => createMail({ sends: config.mail, ...ports });

/** The worker of this process; any number may work over one database. */
export function createMail({ pool, sends, metrics: { registry }, log, timings, ...given }: MailDeps): Mail {
  const metrics = mailMetrics({ registry }, pool);
  const { refused = async () => undefined, unsubscribeAt = () => undefined, write = async () => undefined } = given;
  const cleanup = createCleanup(pool, log, refused);
  const workers = [cleanup];
  if (sends !== undefined) {
    const timed = { ...defaultTimings, ...timings };
    const transport = openTransport(sends);
    workers.push(createSender({ pool, transport, timings: timed, metrics, log, refused, unsubscribeAt, write }));
  }
  return {
    start: () => workers.forEach((worker) => worker.start()),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map(async (worker) => worker.stop()));
    },
  };
}
