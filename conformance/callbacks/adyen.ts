import { createHmac } from 'node:crypto';

/** In hexadecimal, as Adyen gives it out. */
export const adyenKey = 'ab'.repeat(32);

/** A request of Adyen's about a charge of so many cents. */
export function adyenCharge(pspReference: string, value: number, account = 'Till') {
  const signed = {
    pspReference,
    originalReference: '',
    merchantAccountCode: account,
    merchantReference: '',
    amount: { value, currency: 'USD' },
    eventCode: 'AUTHORISATION',
    success: 'true',
  };
  const text = [pspReference, '', account, '', String(value), 'USD', 'AUTHORISATION', 'true'].join(':');
  const hmacSignature = createHmac('sha256', Buffer.from(adyenKey, 'hex')).update(text).digest('base64');
  const item = { ...signed, additionalData: { hmacSignature } };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ live: 'true', notificationItems: [{ NotificationRequestItem: item }] }),
  };
}
