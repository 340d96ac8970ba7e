import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { callbacksFail } from '../errors.ts';
import type { Adapter, AdapterPorts, Arrived } from './adapter.ts';
import { digestOf } from './digest.ts';
import {
  malformed,
  membersOf,
  momentOfText,
  optionalId,
  optionalText,
  peekObject,
  readObject,
  requiredText,
} from './json.ts';
import { fromBase64 } from './signature.ts';
import { momentOf, requireWithin } from './window.ts';

const window = 300;
/** Of a signature by RSA-8192. */
const longest = 1_368;
const hosts = /^api\.(?:shipengine|shipstation)\.com$/;
const keySet = 'https://api.shipengine.com/jwks';

/** ShipStation's API of version 2: signed by keys that all of its customers share. */
export const shipstation: Adapter = {
  name: 'shipstation',
  coverage: 'none',
  rules: {
    headers: ['x-shipengine-rsa-sha256-key-id', 'x-shipengine-rsa-sha256-signature', 'x-shipengine-timestamp'],
    signed:
      'RSA-SHA256 in base64 of the timestamp, a full stop and the body, by a key of the published set. The key is one for all of its customers, so that it does not say whose event it is: nothing is trusted before it was fetched by the own API key',
    window,
    dedupe: 'hash of the body',
    source: 'https://docs.shipstation.com/apis/docs/guides/webhooks-validation',
    unsure:
      'What is signed: `timestamp.body`, or the body alone where the setting `signed` is `body`; then no time is checked.',
  },
  settings: {
    signed: 'Optional. `body` where the timestamp is not part of what is signed',
    jwks: `Optional. Address of the key set, instead of ${keySet}`,
  },
  recognises: ({ headers }) => headers['x-shipengine-rsa-sha256-signature'] !== undefined,
  hint: () => undefined,
  verify: async (arrived, { settings }, ports) => {
    const { keyId, signature, timestamp, signedAt } = headersOf(arrived);
    const isTimed = settings['signed'] !== 'body';
    const age = arrived.receivedAt - signedAt;
    // Before anybody is asked for keys: what is far off is refused anyhow, and nothing is told by it.
    if (isTimed && Math.abs(age) > 10 * window * 1000) return false;
    const key = await keyOf(ports, settings['jwks'] ?? keySet, keyId);
    if (key === undefined) return false;
    const signed = isTimed ? Buffer.concat([Buffer.from(`${timestamp}.`), arrived.body]) : arrived.body;
    const fits = verify('sha256', signed, key, signature);
    if (fits && isTimed) requireWithin(window, signedAt, arrived.receivedAt);
    return fits;
  },
  read: ({ body }) => {
    const event = readObject(body);
    const data = membersOf(event['data']);
    const id = digestOf(body.toString('latin1'));
    return [
      {
        deliveryId: id,
        eventId: id,
        account: null,
        topic: requiredText(event, 'resource_type'),
        live: null,
        resource: optionalId(data['tracking_number']) ?? optionalId(data['label_id']) ?? null,
        occurredAt: momentOfText(data['event_occurred_at']) ?? latest(data['events']),
        data: event,
      },
    ];
  },
};

interface Signature {
  readonly keyId: string;
  readonly signature: Buffer;
  readonly timestamp: string;
  readonly signedAt: number;
}

function headersOf({ headers }: Arrived): Signature {
  const keyId = optionalText(headers['x-shipengine-rsa-sha256-key-id']);
  const signature = fromBase64((headers['x-shipengine-rsa-sha256-signature'] ?? '').slice(0, longest));
  const timestamp = headers['x-shipengine-timestamp'];
  const signedAt = momentOf(timestamp);
  if (keyId === undefined || timestamp === undefined || signedAt === undefined || signature === undefined)
    throw malformed('Key id, timestamp and signature (base64) of ShipEngine must be there.');
  return { keyId, signature, timestamp, signedAt };
}

async function keyOf({ fetchText }: AdapterPorts, address: string, keyId: string): Promise<KeyObject | undefined> {
  const set = await fetchText(address, hosts).catch((cause: unknown) => {
    throw callbacksFail(
      'callback_unverified',
      'The keys of the signature could not be fetched: send the request again.',
      {
        cause,
      },
    );
  });
  const keys: unknown = peekObject(Buffer.from(set))?.['keys'];
  const found = Array.isArray(keys)
    ? keys.map(membersOf).find(({ kid, kty }) => kid === keyId && kty === 'RSA')
    : undefined;
  if (found === undefined || typeof found['n'] !== 'string' || typeof found['e'] !== 'string') return undefined;
  const key = createPublicKey({ key: { kty: 'RSA', n: found['n'], e: found['e'] }, format: 'jwk' });
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048 ? key : undefined;
}

/** When the last of some events occurred. */
function latest(events: unknown): string | null {
  if (!Array.isArray(events)) return null;
  const moments = events.slice(0, 1_000).flatMap((one) => momentOfText(membersOf(one)['occurred_at']) ?? []);
  return moments.toSorted().at(-1) ?? null;
}
