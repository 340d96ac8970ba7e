import type { Adapter } from './adapter.ts';
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
import { equal, hmac } from './signature.ts';

const header = 'x-square-hmacsha256-signature';

/** Square: the address is signed too, as it is registered there. */
export const square: Adapter = {
  name: 'square',
  coverage: 'body',
  rules: {
    headers: ['x-square-hmacsha256-signature'],
    signed: 'HMAC-SHA256 of the registered address followed by the body, in base64',
    window: null,
    dedupe: 'event_id',
    source: 'https://developer.squareup.com/docs/webhooks/step3validate',
  },
  secret: 'Signature key of the webhook subscription',
  namesAccount: true,
  recognises: ({ headers }) => headers[header] !== undefined,
  hint: ({ body }) => optionalText(peekObject(body)?.['merchant_id']),
  verify: ({ body, headers, url }, { secret }) => {
    const given = headers[header];
    if (given === undefined) throw malformed('x-square-hmacsha256-signature is missing.');
    return equal(given, hmac('sha256', secret, Buffer.concat([Buffer.from(url), body]), 'base64'));
  },
  read: ({ body }) => {
    const event = readObject(body);
    const id = requiredText(event, 'event_id');
    return [
      {
        deliveryId: id,
        eventId: id,
        account: optionalText(event['merchant_id']) ?? null,
        topic: requiredText(event, 'type'),
        live: null,
        resource: optionalId(membersOf(event['data'])['id']) ?? null,
        occurredAt: momentOfText(event['created_at']),
        data: event,
      },
    ];
  },
};
