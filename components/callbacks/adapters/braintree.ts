import { hash } from 'node:crypto';
import type { Adapter, Arrived } from './adapter.ts';
import { readBraintree } from './braintree-xml.ts';
import { digestOf } from './digest.ts';
import { malformed, membersOf, momentOfText, optionalText, requiredText } from './json.ts';
import { equal, hmac } from './signature.ts';

const mostPairs = 8;
/** What is answered to a challenge is a signature too, so no payload may look like one. */
const challenge = /^[a-f0-9]{20,32}$/;

/** Braintree: a form of a signature and a payload, which is XML in base64. */
export const braintree: Adapter = {
  name: 'braintree',
  coverage: 'body',
  rules: {
    headers: [],
    signed:
      'HMAC-SHA1 in hex of `bt_payload` or of it and a line feed, by the SHA-1 of the private key; any pair `key|hex` of `bt_signature`. A GET with `bt_challenge` is answered `public key|HMAC of the challenge`',
    window: null,
    dedupe: 'hash of the payload, which holds kind, time and subject',
    source: 'https://developer.paypal.com/braintree/docs/guides/webhooks/parse',
  },
  secret: 'Private key of the API key',
  settings: { public_key: 'Public key of the API key: it names the signature, and answers the challenge' },
  needs: ['public_key'],
  recognises: (arrived) => challengeOf(arrived) !== undefined || arrived.body.includes('bt_signature='),
  hint: () => undefined,
  verify: (arrived, { secret, settings }) => {
    // Nothing is trusted of it: it is answered before anything is read.
    if (challengeOf(arrived) !== undefined) return true;
    const { signature, payload } = formOf(arrived);
    // Its hash would be no empty key.
    if (secret === '') return false;
    const pairs = signature.split('&', mostPairs).map((pair) => pair.split('|', 3));
    const own = settings['public_key'];
    const given = pairs.flatMap(([key, hex = '', ...more]) =>
      (own === undefined || key === own) && more.length === 0 && /^[0-9a-f]{40}$/.test(hex) ? [hex] : [],
    );
    const expected = [payload, `${payload}\n`].map((text) => hmac('sha1', keyOf(secret), text, 'hex'));
    return given.filter((hex) => expected.filter((one) => equal(hex, one)).length > 0).length > 0;
  },
  read: (arrived) => {
    const { payload } = formOf(arrived);
    const notification = readNotification(payload);
    const id = digestOf(payload.trim());
    const subject = membersOf(notification['subject']);
    const [thing] = Object.values(subject);
    return [
      {
        deliveryId: id,
        eventId: id,
        account: null,
        topic: requiredText(notification, 'kind'),
        live: null,
        resource: optionalText(membersOf(thing)['id']) ?? null,
        occurredAt: momentOfText(notification['timestamp']),
        signed: payload.trim(),
        data: notification,
      },
    ];
  },
  handshake: (arrived, { secret, settings }) => {
    const asked = challengeOf(arrived);
    if (asked === undefined) return undefined;
    return { status: 200, text: `${settings['public_key'] ?? ''}|${hmac('sha1', keyOf(secret), asked, 'hex')}` };
  },
  handshakeByGet: true,
};

const keyOf = (secret: string): Buffer => hash('sha1', secret, 'buffer');

/** Of a request without a body. */
function challengeOf({ url, body }: Arrived): string | undefined {
  if (body.length > 0 || url.length > 2_000) return undefined;
  const asked = URL.parse(url)?.searchParams.get('bt_challenge') ?? undefined;
  return asked !== undefined && challenge.test(asked) ? asked : undefined;
}

/** @throws Problem `callback_malformed` (400) */
function readNotification(payload: string): ReturnType<typeof readBraintree> {
  try {
    return readBraintree(Buffer.from(payload, 'base64').toString('utf8'), 'notification');
  } catch {
    throw malformed('The payload is no XML of a notification.');
  }
}

function formOf({ body }: Arrived): { readonly signature: string; readonly payload: string } {
  const text = body.toString('latin1');
  const fields = text.split('&', 11).length > 10 ? new URLSearchParams() : new URLSearchParams(text);
  const [signature, ...signatures] = fields.getAll('bt_signature');
  const [payload, ...payloads] = fields.getAll('bt_payload');
  const isOne = signatures.length === 0 && payloads.length === 0;
  if (!isOne || signature === undefined || payload === undefined || signature.length > 2_000)
    throw malformed('The form must have one bt_signature and one bt_payload.');
  if (!/^[A-Za-z0-9+/=\n]+$/.test(payload) || challenge.test(payload.trim()))
    throw malformed('bt_payload must be base64 of a notification.');
  return { signature, payload };
}
