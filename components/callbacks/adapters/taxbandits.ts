import type { Adapter, Arrived, Credentials } from './adapter.ts';
import { digestOf } from './digest.ts';
import { malformed, membersOf, momentOfText, optionalText, readObject } from './json.ts';
import { equal, hmac } from './signature.ts';
import { momentOf, requireWithin } from './window.ts';

/** Nine tries in a day, of which nobody says whether they are signed anew. */
const window = 90_000;

/** TaxBandits: the time is signed, and nothing of the body. */
export const taxbandits: Adapter = {
  name: 'taxbandits',
  coverage: 'none',
  rules: {
    headers: ['Signature', 'TimeStamp'],
    signed: 'HMAC-SHA256 in base64 of the client id, a line feed and TimeStamp; nothing of the body',
    window,
    dedupe: 'SubmissionId with each record’s id, status and time; else the hash of the body',
    source: 'https://developer.taxbandits.com/docs/webhooks/validatingrequests/',
    unsure:
      'How TimeStamp is written: seconds, milliseconds, and dates with a zone or in UTC are read. Whether the sample that activates the address is signed: unsigned it is answered 200, without any effect, while the setting `sample` is `accept`.',
  },
  secret: 'Client secret of the API',
  settings: {
    client_id: 'Client id of the API',
    sample: 'Optional. `accept` while the address is being activated; remove it afterwards',
  },
  needs: ['client_id'],
  recognises: ({ headers }) => headers['signature'] !== undefined && headers['timestamp'] !== undefined,
  hint: () => undefined,
  verify: (arrived, credentials) => {
    if (isSample(arrived, credentials)) return true;
    const { signature, timestamp } = arrived.headers;
    const signedAt = momentOf(timestamp);
    if (signature === undefined || timestamp === undefined || signedAt === undefined)
      throw malformed('Signature and TimeStamp must be there, and TimeStamp a time.');
    const { secret, settings } = credentials;
    const fits = equal(signature, hmac('sha256', secret, `${settings['client_id'] ?? ''}\n${timestamp}`, 'base64'));
    if (fits) requireWithin(window, signedAt, arrived.receivedAt);
    return fits;
  },
  read: ({ body }) => {
    const event = readObject(body);
    const submission = optionalText(event['SubmissionId']);
    const states = [event, ...recordsOf(event)].map(stateOf);
    const [at] = states.flatMap(([, , time]) => (time === '' ? [] : [time]));
    const id = submission === undefined ? digestOf(body.toString('latin1')) : digestOf(submission, ...states.flat());
    return [
      {
        deliveryId: id,
        eventId: id,
        account: null,
        topic: topicOf(event),
        live: null,
        resource: submission ?? null,
        occurredAt: momentOfText(at),
        // Of the body its id is made of, nothing is.
        signed: '',
        data: event,
      },
    ];
  },
  kept: (body) => Buffer.from(JSON.stringify(withoutNumbers(readObject(body), 0))),
  handshake: (arrived, credentials) => (isSample(arrived, credentials) ? { status: 200, text: '' } : undefined),
};

const isSample = ({ headers }: Arrived, { settings }: Credentials): boolean =>
  settings['sample'] === 'accept' && headers['signature'] === undefined && headers['timestamp'] === undefined;

/** Numbers of taxpayers, of whoever asks and of whoever is paid, wherever they are. */
const numbers = /^(?:US|Foreign)?TIN$|SSN|EIN$/i;
/** Deeper than any notification; JSON that is deeper is refused before. */
const deepest = 32;

function withoutNumbers(value: unknown, depth: number): unknown {
  if (depth > deepest) return null;
  if (Array.isArray(value)) return value.map((one) => withoutNumbers(one, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, numbers.test(name) ? null : withoutNumbers(one, depth + 1)]),
  );
}

type Members = Readonly<Record<string, unknown>>;

const recordsOf = (event: Members): readonly Members[] =>
  Array.isArray(event['Records']) ? event['Records'].map(membersOf) : [];

/** A form, its status, since when, and how its number was found: what makes another delivery. */
const stateOf = (of: Members): readonly [string, string, string, string] => [
  optionalText(of['RecordId']) ?? '',
  optionalText(of['Status']) ?? optionalText(of['W9Status']) ?? '',
  optionalText(of['StatusTs']) ?? optionalText(of['StatusTime']) ?? '',
  optionalText(membersOf(of['TINMatching'])['Status']) ?? '',
];

/** The kinds of webhooks have no name in their bodies. */
function topicOf(event: Members): string {
  const named = optionalText(event['EventType']);
  if (named !== undefined) return named;
  if ('W9Status' in event || 'FormW9RequestType' in event) return 'w9.status';
  if ('NumOfAttemptsRmng' in event) return 'tin_matching.status';
  return [event, ...recordsOf(event)].some((one) => 'FormType' in one) ? 'filing.status' : 'other';
}
