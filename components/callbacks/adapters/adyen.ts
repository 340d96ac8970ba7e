import type { Adapter, Arrived, Item } from './adapter.ts';
import { malformed, membersOf, optionalText, peekObject } from './json.ts';
import { equal, hmac } from './signature.ts';

/** Adyen puts one into each request, and documents that there may be more. */
const mostItems = 50;

/** Adyen's standard webhooks: each item carries the signature of eight of its members. */
export const adyen: Adapter = {
  name: 'adyen',
  coverage: 'fields',
  rules: {
    headers: [],
    signed:
      'HMAC-SHA256 in base64, in `additionalData.hmacSignature` of each item, of pspReference, originalReference, merchantAccountCode, merchantReference, amount.value, amount.currency, eventCode and success between colons',
    window: null,
    dedupe: 'eventCode, pspReference and success of each item',
    source: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
    unsure:
      'What makes two notifications one: success is part of it, because one that failed may be followed by one that did not. A colon in any other member than merchantReference is refused, because it would move the borders of what is signed.',
  },
  secret: 'HMAC key of the webhook, hexadecimal',
  secretForm: /^(?:[0-9a-f]{2}){16,}$/i,
  namesAccount: true,
  recognises: ({ body }) => body.includes('"notificationItems"'),
  hint: (arrived) => {
    try {
      return itemsOf(arrived)[0]?.signed.merchantAccountCode;
    } catch {
      return undefined;
    }
  },
  verify: (arrived, { secret }) => {
    const items = itemsOf(arrived);
    if (!/^[0-9a-f]{2,256}$/i.test(secret)) return false;
    const key = Buffer.from(secret, 'hex');
    const wrong = items.filter(({ text, signature }) => !equal(signature, hmac('sha256', key, text, 'base64')));
    return items.length > 0 && wrong.length === 0;
  },
  read: (arrived) => itemsOf(arrived).map(({ signed, text }) => ({ ...itemOf(signed), signed: text })),
};

interface Signed {
  readonly pspReference: string;
  readonly originalReference: string;
  readonly merchantAccountCode: string;
  readonly merchantReference: string;
  readonly value: string;
  readonly currency: string;
  readonly eventCode: string;
  readonly success: string;
}

interface SignedItem {
  readonly signed: Signed;
  /** What the signature is of. */
  readonly text: string;
  readonly signature: string;
}

/** What is signed of each item, read before it is verified: the signature is inside. @throws Problem `callback_malformed` (400) */
function itemsOf({ body }: Arrived): readonly SignedItem[] {
  const items = peekObject(body)?.['notificationItems'];
  if (!Array.isArray(items) || items.length === 0 || items.length > mostItems)
    throw malformed(`There must be 1–${mostItems} notificationItems.`);
  return items.map((one: unknown) => signedOf(membersOf(membersOf(one)['NotificationRequestItem'])));
}

function signedOf(item: Readonly<Record<string, unknown>>): SignedItem {
  const signature = membersOf(item['additionalData'])['hmacSignature'];
  const amount = membersOf(item['amount']);
  const signed: Signed = {
    pspReference: plain(item['pspReference'], 80),
    originalReference: plain(item['originalReference'] ?? '', 80),
    merchantAccountCode: plain(item['merchantAccountCode'], 100),
    merchantReference: text(item['merchantReference'] ?? ''),
    value: plain(Number.isSafeInteger(amount['value']) ? String(amount['value']) : amount['value'], 20),
    currency: plain(amount['currency'], 3),
    eventCode: plain(item['eventCode'], 80),
    success: plain(item['success'], 5),
  };
  const isWhole = signed.pspReference !== '' && signed.eventCode !== '' && /^-?\d{1,15}$/.test(signed.value);
  if (typeof signature !== 'string' || !isWhole)
    throw malformed('Each item must have pspReference, eventCode, a whole amount and additionalData.hmacSignature.');
  return { signed, text: Object.values(signed).join(':'), signature };
}

function plain(value: unknown, most: number): string {
  const read = text(value);
  if (read.length > most || read.includes(':')) throw malformed('What an item has signed is too long, or has a colon.');
  return read;
}

function text(value: unknown): string {
  if (value !== '' && optionalText(value) === undefined) throw malformed('What an item has signed must be text.');
  return String(value);
}

function itemOf(signed: Signed): Item {
  const {
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    value,
    currency,
    eventCode,
    success,
  } = signed;
  const id = [eventCode, pspReference, success].join(':');
  return {
    deliveryId: id,
    eventId: id,
    account: merchantAccountCode === '' ? null : merchantAccountCode,
    topic: eventCode,
    live: null,
    resource: originalReference === '' ? pspReference : originalReference,
    occurredAt: null,
    data: {
      pspReference,
      originalReference,
      merchantAccountCode,
      merchantReference,
      amount: { value: Number(value), currency },
      eventCode,
      success,
    },
  };
}
