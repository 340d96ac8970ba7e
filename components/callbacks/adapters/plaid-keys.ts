import { createFreshCache, type ProviderClient, ProviderRefused } from '@steward/kernel';
import { createRoom } from '@steward/work';
import { digestOf } from './digest.ts';
import { membersOf } from './json.ts';

/** Who asks Plaid. */
export interface PlaidClient {
  readonly id: string;
  readonly secret: string;
  readonly sandbox: boolean;
}

/** A key of Plaid's by its id; undefined where it has none of it, or one that is no longer used. @throws ProviderUnavailable */
export type PlaidKeys = (keyId: string, client: PlaidClient) => Promise<Readonly<Record<string, string>> | undefined>;

const remembered = 3_600_000;
const forgiven = 300_000;
/** Whoever sends us a request chooses the id that Plaid is asked for: those of one client leave room for others. */
const most = { all: 32, ofOne: 4 };

/**
 * Asks Plaid's API, live or of the sandbox, and remembers what it answered to each client, so that none spoils another's:
 * a key for an hour, that there is none for five minutes.
 */
export function createPlaidKeys(
  apis: { readonly live: ProviderClient; readonly sandbox: ProviderClient },
  now?: () => number,
): PlaidKeys {
  const cache = createFreshCache<Readonly<Record<string, string>>>({
    milliseconds: remembered,
    capacity: 64,
    missing: 512,
    ...(now === undefined ? {} : { now }),
  });
  const room = createRoom(most);
  return async (keyId, { id, secret, sandbox }) =>
    cache.get(digestOf(String(sandbox), id, secret, keyId), async () => {
      const client = digestOf(String(sandbox), id, secret);
      if (!room.enter(client)) throw new Error('Too many keys are being asked for.');
      try {
        const { body } = await apis[sandbox ? 'sandbox' : 'live'].call('POST', '/webhook_verification_key/get', {
          body: { client_id: id, secret, key_id: keyId },
        });
        const value = usable(membersOf(membersOf(body)['key']));
        return { value, lives: value === undefined ? forgiven : remembered };
      } catch (error) {
        if (error instanceof ProviderRefused) return { value: undefined, lives: forgiven };
        throw error;
      } finally {
        room.leave(client);
      }
    });
}

/** The members of a JWK that verifying takes. */
function usable(key: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | undefined {
  const { kty, crv, x, y, expired_at: expired } = key;
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') return undefined;
  return expired === null || expired === undefined ? { kty, crv, x, y, alg: 'ES256' } : undefined;
}
