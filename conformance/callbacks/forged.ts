import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Forged {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const mac = (algorithm: string, encoding: 'hex' | 'base64', signed = ''): string =>
  createHmac(algorithm, randomBytes(32)).update(signed).digest(encoding);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const json = { id: 'evt_forged', type: 'invoice.paid', data: { object: { id: 'x' } } };

/** Requests of the form that a provider sends, signed by somebody else: in time, complete, and not genuine. */
export const forged: Readonly<Record<string, () => Forged>> = {
  stripe: () => {
    const time = Math.floor(Date.now() / 1000);
    return { headers: { 'stripe-signature': `t=${time},v1=${mac('sha256', 'hex')}` }, body: JSON.stringify(json) };
  },
  paypal: () => ({
    headers: {
      'paypal-transmission-id': 'forged',
      'paypal-transmission-time': new Date().toISOString(),
      'paypal-transmission-sig': sign('sha256', Buffer.from('forged'), privateKey).toString('base64'),
      'paypal-cert-url': 'https://127.0.0.1:1/v1/notifications/certs/CERT-forged',
      'paypal-auth-algo': 'SHA256withRSA',
    },
    body: JSON.stringify({ id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'c' } }),
  }),
  authorizenet: () => ({
    headers: { 'x-anet-signature': `sha512=${mac('sha512', 'hex').toUpperCase()}` },
    body: JSON.stringify({ notificationId: 'n', eventType: 'net.authorize.payment.refund.created', payload: {} }),
  }),
  adyen: () => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      live: 'false',
      notificationItems: [
        {
          NotificationRequestItem: {
            additionalData: { hmacSignature: mac('sha256', 'base64') },
            amount: { currency: 'EUR', value: 1 },
            eventCode: 'AUTHORISATION',
            eventDate: new Date().toISOString(),
            merchantAccountCode: 'm',
            merchantReference: 'r',
            originalReference: '',
            pspReference: 'p',
            success: 'true',
          },
        },
      ],
    }),
  }),
  square: () => ({
    headers: { 'x-square-hmacsha256-signature': mac('sha256', 'base64') },
    body: JSON.stringify({ merchant_id: 'm', type: 'payment.updated', event_id: 'e', data: { id: 'p' } }),
  }),
  braintree: () => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      bt_signature: `public1|${mac('sha1', 'hex')}`,
      bt_payload: `${Buffer.from('<notification><kind>check</kind></notification>').toString('base64')}\n`,
    }).toString(),
  }),
  plaid: () => {
    const signed = `${base64url({ alg: 'ES256', kid: 'forged', typ: 'JWT' })}.${base64url({
      iat: Math.floor(Date.now() / 1000),
      request_body_sha256: '0'.repeat(64),
    })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: curve, dsaEncoding: 'ieee-p1363' });
    return {
      headers: { 'plaid-verification': `${signed}.${signature.toString('base64url')}` },
      body: JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: 'i', environment: 'sandbox' }),
    };
  },
  taxbandits: () => ({
    headers: { signature: mac('sha256', 'base64'), timestamp: new Date().toISOString() },
    body: JSON.stringify({ SubmissionId: 's', FormType: 'FORM1099NEC', Records: [] }),
  }),
  shopify: () => ({
    headers: {
      'x-marketplace-hmac-sha256': mac('sha256', 'base64'),
      'x-marketplace-topic': 'orders/create',
      'x-marketplace-shop-domain': 'forged.myshopify.com',
      'x-marketplace-webhook-id': 'w',
      'x-marketplace-event-id': 'e',
    },
    body: JSON.stringify({ id: 1 }),
  }),
  easypost: () => ({
    headers: { 'x-hmac-signature': `hmac-sha256-hex=${mac('sha256', 'hex')}` },
    body: JSON.stringify({ id: 'evt_1', description: 'tracker.updated', mode: 'test', result: { id: 'trk_1' } }),
  }),
  shipstation: () => ({
    headers: {
      'x-shipengine-rsa-sha256-key-id': 'forged',
      'x-shipengine-rsa-sha256-signature': sign('sha256', Buffer.from('forged'), privateKey).toString('base64'),
      'x-shipengine-timestamp': new Date().toISOString(),
    },
    body: JSON.stringify({ resource_type: 'API_TRACK', data: { tracking_number: '1Z' } }),
  }),
};
