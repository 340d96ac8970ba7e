import type { Adapter } from './adapter.ts';
import { malformed, membersOf, momentOfText, optionalId, readObject, requiredText } from './json.ts';
import { equal, hmac } from './signature.ts';

const header = 'x-anet-signature';

/** Authorize.Net: `sha512=HEX`. */
export const authorizenet: Adapter = {
  name: 'authorizenet',
  coverage: 'body',
  rules: {
    headers: ['X-ANET-Signature'],
    signed: 'HMAC-SHA512 of the body in hex after `sha512=`',
    window: null,
    dedupe: 'notificationId',
    source: 'https://developer.authorize.net/api/reference/features/webhooks.html',
    unsure:
      'Whether the key is the 128 hexadecimal digits as text, or the bytes that they stand for: both are tried, since both are as secret.',
  },
  secret: 'Signature Key of the account, 128 hexadecimal digits',
  secretForm: /^[0-9a-f]{128}$/i,
  recognises: ({ headers }) => headers[header] !== undefined,
  hint: () => undefined,
  verify: ({ body, headers }, { secret }) => {
    const given = /^sha512=([0-9a-f]{128})$/i.exec(headers[header] ?? '')?.[1]?.toLowerCase();
    if (given === undefined) throw malformed('X-ANET-Signature must be sha512= and 128 hexadecimal digits.');
    const keys = [secret, ...(/^[0-9a-f]{128}$/i.test(secret) ? [Buffer.from(secret, 'hex')] : [])];
    return keys.filter((key) => equal(given, hmac('sha512', key, body, 'hex'))).length > 0;
  },
  read: ({ body }) => {
    const event = readObject(body);
    const id = requiredText(event, 'notificationId');
    return [
      {
        deliveryId: id,
        eventId: id,
        account: null,
        topic: requiredText(event, 'eventType'),
        live: null,
        resource: optionalId(membersOf(event['payload'])['id']) ?? null,
        occurredAt: momentOfText(event['eventDate']),
        data: event,
      },
    ];
  },
};
