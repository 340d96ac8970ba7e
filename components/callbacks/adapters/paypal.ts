import { type KeyObject, hash, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BoundedMap } from '@steward/kernel';
import { callbacksFail } from '../errors.ts';
import type { Adapter, Arrived } from './adapter.ts';
import { keyOfChain } from './certificate-chain.ts';
import { malformed, membersOf, momentOfText, optionalText, peekObject, readObject, requiredText } from './json.ts';
import { fromBase64 } from './signature.ts';
import { momentOf, requireWithin } from './window.ts';

/** It is tried for three days, and nobody says whether a retry is signed anew. */
const window = 3 * 86_400 + 3_600;
const hosts = /^api(?:-m)?(?:\.sandbox)?\.paypal\.com$/;
/** Of a signature by RSA-8192. */
const longest = 1_368;
const names = ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com'];

/** PayPal: of the body only its CRC-32 is signed, which anybody can keep while changing the body. */
export const paypal: Adapter = {
  name: 'paypal',
  coverage: 'none',
  rules: {
    headers: [
      'PAYPAL-TRANSMISSION-ID',
      'PAYPAL-TRANSMISSION-TIME',
      'PAYPAL-TRANSMISSION-SIG',
      'PAYPAL-CERT-URL',
      'PAYPAL-AUTH-ALGO',
    ],
    signed: `RSA-SHA256 in base64 of transmission id, time, webhook id and the CRC-32 of the body as a decimal number, between bars. The certificate is fetched from PayPal’s API hosts alone, must be of ${names[0]} (or of its sandbox), and lead to an authority that this machine trusts`,
    window,
    dedupe: 'transmission id; the event by its id',
    source: 'https://developer.paypal.com/api/rest/webhooks/rest/',
    unsure: 'Whether a retry is signed anew: the window is as long as it is tried.',
  },
  settings: { webhook_id: 'Id of the webhook, as the list of webhooks of the app shows it' },
  needs: ['webhook_id'],
  recognises: ({ headers }) => headers['paypal-transmission-sig'] !== undefined,
  hint: ({ body }) => optionalText(membersOf(membersOf(peekObject(body)?.['resource'])['payee'])['merchant_id']),
  verify: async (arrived, { settings }, { fetchText }) => {
    const { id, time, signedAt, signature, certificate } = headersOf(arrived);
    const webhook = optionalText(settings['webhook_id']);
    if (webhook === undefined || !isOfPayPal(certificate)) return false;
    const chain = await fetchText(certificate, hosts).catch((cause: unknown) => {
      throw callbacksFail('callback_unverified', 'The certificate that PAYPAL-CERT-URL names is not to be had.', {
        cause,
      });
    });
    const key = signingKey(chain, arrived.receivedAt);
    if (key === undefined) return false;
    const signed = `${id}|${time}|${webhook}|${crc32(arrived.body)}`;
    const fits = verify('sha256', Buffer.from(signed), key, signature);
    if (fits) requireWithin(window, signedAt, arrived.receivedAt);
    return fits;
  },
  read: (arrived) => {
    const event = readObject(arrived.body);
    return [
      {
        // What is kept of a request has no signature, so nothing of that is asked here.
        deliveryId: requiredText(arrived.headers, 'paypal-transmission-id'),
        eventId: requiredText(event, 'id'),
        account: null,
        topic: requiredText(event, 'event_type'),
        live: null,
        resource: resourceOf(membersOf(event['resource'])),
        occurredAt: momentOfText(event['create_time']),
        signed: String(crc32(arrived.body)),
        data: event,
      },
    ];
  },
};

/** A dispute has its id under another name. */
const resourceOf = (resource: Readonly<Record<string, unknown>>): string | null =>
  optionalText(resource['id']) ?? optionalText(resource['dispute_id']) ?? null;

interface Transmission {
  readonly id: string;
  readonly time: string;
  readonly signedAt: number;
  readonly signature: Buffer;
  readonly certificate: string;
}

function headersOf({ headers }: Arrived): Transmission {
  const id = headers['paypal-transmission-id'] ?? '';
  const time = headers['paypal-transmission-time'] ?? '';
  const signature = fromBase64((headers['paypal-transmission-sig'] ?? '').slice(0, longest));
  const certificate = headers['paypal-cert-url'] ?? '';
  const signedAt = momentOf(time);
  // A bar in one of them would move the borders of what is signed.
  if (
    !/^[A-Za-z0-9_.-]{1,100}$/.test(id) ||
    signedAt === undefined ||
    signature === undefined ||
    headers['paypal-auth-algo']?.toLowerCase() !== 'sha256withrsa'
  )
    throw malformed(
      'The transmission id, time, signature (base64) and algorithm (SHA256withRSA) of PayPal must be there.',
    );
  return { id, time, signedAt, signature, certificate };
}

/** Whatever the host: nothing but certificates is fetched there. */
const isOfPayPal = (address: string): boolean => {
  const url = address.length > 300 ? null : URL.parse(address);
  return url !== null && /^\/v1\/notifications\/certs\/[A-Za-z0-9_-]{1,100}$/.test(url.pathname) && url.search === '';
};

interface Known {
  readonly key: KeyObject;
  readonly at: number;
}

/** Chains that were found good, by their hash: it takes a while. */
const chains = new BoundedMap<string, Known>(32);
const remembered = 3_600_000;

function signingKey(pem: string, at: number): KeyObject | undefined {
  const digest = hash('sha256', pem);
  const known = chains.get(digest);
  if (known !== undefined && Math.abs(at - known.at) < remembered) return known.key;
  const key = keyOfChain(pem, names, at);
  if (key !== undefined) chains.set(digest, { key, at });
  return key;
}
