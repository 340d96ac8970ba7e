import type { IncomingMessage } from 'node:http';
import { limitBucket } from '@steward/kernel';
import type { Admittance } from '@steward/sql';
import type { CommercePorts } from '../ports.ts';

/** What may be a key: anything else is counted for its address alone. */
const mayBeKey = (text: string): boolean => text.length <= 80 && text.startsWith('pk_');

/** The key as it was sent; undefined where none was. */
export function keyTextOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = headers['x-service-sdk-key'];
  return typeof given === 'string' && given !== '' ? given : undefined;
}

export interface Admission {
  /** Counts a request, unless it was handed on with what was said. A preflight carries no key, and counts for its address alone. */
  admit(request: IncomingMessage): Admittance | Promise<Admittance>;
  /** Whoever admits this request next is told the same. */
  handOn(request: IncomingMessage, said: Admittance | Promise<Admittance>): void;
}

export function createAdmission({
  limiter,
  limits,
  clientAddress,
}: Pick<CommercePorts, 'limiter' | 'limits' | 'clientAddress'>): Admission {
  const perAddress = { name: 'storefront-address', allowed: limits.perAddressPerMinute, windowSeconds: 60 };
  const perKey = { name: 'storefront-key', allowed: limits.perKeyPerMinute, windowSeconds: 60 };
  const handed = new WeakMap<IncomingMessage, Admittance | Promise<Admittance>>();
  return {
    admit: (request) => {
      const said = handed.get(request);
      if (said !== undefined) return said;
      const key = request.method === 'OPTIONS' ? undefined : keyTextOf(request);
      const address = { limit: perAddress, key: limitBucket(clientAddress(request)) };
      return limiter.take(key !== undefined && mayBeKey(key) ? [address, { limit: perKey, key }] : [address]);
    },
    handOn: (request, said) => handed.set(request, said),
  };
}
