import { hash } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK } from 'jose';
import { callbacksFail } from '../errors.ts';
import type { Adapter, Arrived } from './adapter.ts';
import { digestOf } from './digest.ts';
import { malformed, momentOfSeconds, optionalText, peekObject, readObject, requiredText } from './json.ts';
import { equal } from './signature.ts';
import type { PlaidKeys } from './plaid-keys.ts';
import { requireWithin } from './window.ts';

const header = 'plaid-verification';
const window = 300;

/** Plaid: a JWT that holds the hash of the body, by a key that its API tells whoever knows the client's secret. */
export const createPlaid = (keys: PlaidKeys): Adapter => ({
  name: 'plaid',
  coverage: 'body',
  rules: {
    headers: ['Plaid-Verification'],
    signed:
      'ES256 JWT whose `request_body_sha256` is of the body; key by `kid` from Plaid’s API, not one with `expired_at`',
    window,
    dedupe: 'type, code, item, the signed time and the hash of the body: two updates of an item have the same body',
    source: 'https://plaid.com/docs/api/webhooks/webhook-verification/',
    unsure:
      'Whether a retry is signed anew: then it is another delivery, and the cursor of the item makes it change nothing.',
  },
  secret: 'Secret of the API, which its keys are asked with',
  settings: {
    client_id: 'Client id of the API',
    environment: 'Optional. `sandbox` where the secret is of the sandbox',
  },
  needs: ['client_id'],
  namesAccount: true,
  recognises: ({ headers }) => headers[header] !== undefined,
  hint: ({ body }) => optionalText(peekObject(body)?.['item_id']),
  verify: async (arrived, { secret, settings }) => {
    const { token, kid, claims } = partsOf(arrived);
    // Before anybody is asked for a key.
    if (!equal(claims.digest, hash('sha256', arrived.body))) return false;
    const client = { id: settings['client_id'] ?? '', secret, sandbox: settings['environment'] === 'sandbox' };
    const key = await keyOf(() => keys(kid, client));
    if (key === undefined) return false;
    try {
      await compactVerify(token, await importJWK(key, 'ES256'), { algorithms: ['ES256'] });
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
        return false;
      throw error;
    }
    requireWithin(window, claims.issuedAt * 1000, arrived.receivedAt);
    return true;
  },
  read: (arrived) => {
    const event = readObject(arrived.body);
    // What is kept of a request has no token: it is known by what was read of it when it came.
    const claims = arrived.headers[header] === undefined ? undefined : partsOf(arrived).claims;
    const item = optionalText(event['item_id']);
    const topic = `${requiredText(event, 'webhook_type')}.${requiredText(event, 'webhook_code')}`.slice(0, 200);
    const id = digestOf(
      topic,
      item ?? '',
      String(claims?.issuedAt ?? ''),
      claims?.digest ?? hash('sha256', arrived.body),
    );
    const environment = event['environment'];
    return [
      {
        deliveryId: id,
        eventId: id,
        account: item ?? null,
        topic,
        live: environment === 'production' ? true : environment === 'sandbox' ? false : null,
        resource: item ?? null,
        occurredAt: momentOfSeconds(claims?.issuedAt),
        data: event,
      },
    ];
  },
});

interface Parts {
  readonly token: string;
  readonly kid: string;
  readonly claims: { readonly issuedAt: number; readonly digest: string };
}

/** What the token says, not verified. @throws Problem `callback_malformed` (400) */
function partsOf({ headers }: Arrived): Parts {
  const token = headers[header] ?? '';
  try {
    if (token.length > 4_000) throw malformed('Plaid-Verification is too long.');
    const { alg, kid } = decodeProtectedHeader(token);
    const { iat, request_body_sha256: digest } = decodeJwt(token);
    const isWhole = Number.isSafeInteger(iat) && typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest);
    if (alg === 'ES256' && typeof kid === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(kid) && isWhole)
      return { token, kid, claims: { issuedAt: Number(iat), digest } };
  } catch (error) {
    // jose says of a token that cannot be read that it is invalid, and of bytes that are no UTF-8 that they are a TypeError.
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
  }
  throw malformed('Plaid-Verification must be a JWT of ES256 with kid, iat and request_body_sha256.');
}

/** The provider sends again what could not be verified just now. */
async function keyOf<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw callbacksFail(
      'callback_unverified',
      'The key of the signature could not be asked for: send the request again.',
      {
        cause,
      },
    );
  }
}
