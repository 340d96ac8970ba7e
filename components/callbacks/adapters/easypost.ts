import { normalized } from '@steward/kernel';
import type { Adapter } from './adapter.ts';
import { malformed, membersOf, momentOfText, optionalText, peekObject, readObject, requiredText } from './json.ts';
import { equal, hmac } from './signature.ts';

const header = 'x-hmac-signature';

/** EasyPost: `hmac-sha256-hex=…`, by a secret in Unicode's form NFKD. */
export const easypost: Adapter = {
  name: 'easypost',
  coverage: 'body',
  rules: {
    headers: ['X-Hmac-Signature'],
    signed: 'HMAC-SHA256 of the body in hex after `hmac-sha256-hex=`; the secret in NFKD',
    window: null,
    dedupe: 'id of the event',
    source: 'https://docs.easypost.com/guides/webhooks-guide',
    unsure:
      'Whether a whole weight is signed as it is sent: the official library signs it with `.0`, so the body is tried as it came and so rewritten.',
  },
  secret: 'Secret that was given with the webhook',
  isChosen: true,
  namesAccount: true,
  recognises: ({ headers }) => headers[header] !== undefined,
  hint: ({ body }) => optionalText(peekObject(body)?.['user_id']),
  verify: ({ body, headers }, { secret }) => {
    const given = /^hmac-sha256-hex=([0-9a-f]{64})$/i.exec(headers[header] ?? '')?.[1]?.toLowerCase();
    if (given === undefined) throw malformed('X-Hmac-Signature must be hmac-sha256-hex= and 64 hexadecimal digits.');
    const key = normalized(secret, 'NFKD');
    return [body, withWeights(body)].filter((signed) => equal(given, hmac('sha256', key, signed, 'hex'))).length > 0;
  },
  read: ({ body }) => {
    const event = readObject(body);
    const id = requiredText(event, 'id');
    const mode = event['mode'];
    return [
      {
        deliveryId: id,
        eventId: id,
        account: optionalText(event['user_id']) ?? null,
        topic: requiredText(event, 'description'),
        live: mode === 'production' ? true : mode === 'test' ? false : null,
        resource: optionalText(membersOf(event['result'])['id']) ?? null,
        occurredAt: momentOfText(event['created_at']),
        signed: withWeights(body),
        data: event,
      },
    ];
  },
};

/** Whole weights with `.0`, as the official library signs them. Byte for byte, whatever the encoding. */
const withWeights = (body: Buffer): Buffer =>
  Buffer.from(body.toString('latin1').replaceAll(/("weight":\s{0,8}\d{1,15})\s{0,8}(?=[,}])/g, '$1.0'), 'latin1');
