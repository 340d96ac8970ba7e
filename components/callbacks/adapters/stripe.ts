import type { Adapter } from './adapter.ts';
import { malformed, membersOf, momentOfSeconds, optionalText, peekObject, readObject, requiredText } from './json.ts';
import { equal, hmac } from './signature.ts';
import { requireWithin } from './window.ts';

const header = 'stripe-signature';
const window = 300;
/** More signatures are made by no rotation. */
const mostSignatures = 8;

/** Stripe: `t=…,v1=…`, of which any `v1` may be of one of two secrets. `v0` is for tests of theirs. */
export const stripe: Adapter = {
  name: 'stripe',
  coverage: 'body',
  rules: {
    headers: ['Stripe-Signature'],
    signed: 'HMAC-SHA256 of `t.body` in hex, any `v1`',
    window,
    dedupe: 'id of the event',
    source: 'https://docs.stripe.com/webhooks#verify-manually',
  },
  secret: 'Signing secret of the endpoint, whsec_…',
  recognises: ({ headers }) => headers[header] !== undefined,
  hint: ({ body }) => optionalText(peekObject(body)?.['account']),
  verify: ({ body, headers, receivedAt }, { secret }) => {
    const { time, signatures } = parts(headers[header]);
    const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
    const expected = hmac('sha256', secret, signed, 'hex');
    // All are compared, so that the time tells nothing of which one fits.
    const fits = signatures.filter((signature) => equal(signature, expected)).length > 0;
    if (fits) requireWithin(window, Number(time) * 1000, receivedAt);
    return fits;
  },
  read: ({ body }) => {
    const event = readObject(body);
    const id = requiredText(event, 'id');
    const object = membersOf(membersOf(event['data'])['object']);
    return [
      {
        deliveryId: id,
        eventId: id,
        account: optionalText(event['account']) ?? null,
        topic: requiredText(event, 'type'),
        live: event['livemode'] === true,
        resource: optionalText(object['id']) ?? null,
        occurredAt: momentOfSeconds(event['created']),
        data: event,
      },
    ];
  },
};

function parts(value: string | undefined): { readonly time: string; readonly signatures: readonly string[] } {
  const pairs = (value ?? '')
    .slice(0, 2_000)
    .split(',')
    .map((pair) => pair.trim().split('=', 2));
  const of = (name: string): string[] => pairs.flatMap(([key, text = '']) => (key === name ? [text] : []));
  const [time = '', ...more] = of('t');
  const signatures = of('v1').slice(0, mostSignatures);
  if (!/^[0-9]{1,12}$/.test(time) || more.length > 0 || signatures.length === 0)
    throw malformed('Stripe-Signature must have one t and at least one v1.');
  return { time, signatures };
}
