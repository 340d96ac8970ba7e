import type { Log, Metrics } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { mailMetrics } from './metrics.ts';
import { createLane, type Refusal } from './sending/lane.ts';
import { usualPace, type Pace } from './sending/pace.ts';
import type { MailSettings } from './settings.ts';
import { createBroom } from './sending/tidy.ts';
import { openSmtp, type SmtpSettings } from './transport/smtp.ts';

export const name = 'mail';
export { mailSettings as settings } from './settings.ts';
export type { MailSettings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { enqueue } from './letters/enqueue.ts';
export { eraseLetters } from './letters/erase.ts';
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
export { returnLetter, tellReturned } from './addresses/returned.ts';
export { judge, type Judgement } from './sending/judge.ts';
export type { Refusal } from './sending/lane.ts';
export { isAddress, lines, oneLine, type Letter } from './letters/letter.ts';
export { lettersGivenUp, retryMail, summarizeMail, type GivenUp, type Heap } from './letters/operate.ts';
export { smtpNotify, type Message, type Notify } from './transport/smtp.ts';

export interface MailDeps {
  readonly pool: SqlPool;
  /** Undefined: nothing is sent; letters wait for three days, in case a mail server is configured. */
  readonly smtp: SmtpSettings | undefined;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly log: Log;
  readonly pace?: Partial<Pace>;
  /** Is told of each letter that is refused for good, before it is given up; in a transaction of its tenant it may `markRefused`. */
  readonly refused?: (refusal: Refusal) => Promise<void>;
  /** Where letters of the tenant to the address are ended by one request (RFC 8058). */
  readonly unsubscribeAt?: (tenant: string, address: string) => string | undefined;
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
}

export const create = ({ config, pool, metrics, log, refused, unsubscribeAt }: MailPorts): Mail =>
  createMail({ smtp: config.mail, pool, metrics, log, refused, unsubscribeAt });

/** The worker of this process; any number may work over one database. */
export function createMail({ pool, smtp, metrics: { registry }, log, pace, ...given }: MailDeps): Mail {
  const metrics = mailMetrics({ registry }, pool);
  const { refused = async () => undefined, unsubscribeAt = () => undefined } = given;
  const broom = createBroom(pool, log, refused);
  const workers = [broom];
  if (smtp !== undefined) {
    const paced = { ...usualPace, ...pace };
    workers.push(createLane({ pool, transport: openSmtp(smtp), pace: paced, metrics, log, refused, unsubscribeAt }));
  }
  return {
    start: () => workers.forEach((worker) => worker.start()),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map(async (worker) => worker.stop()));
    },
  };
}
