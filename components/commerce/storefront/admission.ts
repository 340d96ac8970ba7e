import type { IncomingMessage } from 'node:http';
import { BoundedMap, fail, limitBucket } from '@steward/kernel';
import type { LimitAnswer, Limiter } from '@steward/limits';
import type { CommercePorts } from '../ports.ts';

/** What may be a key: anything else is counted for its address alone. */
const mayBeKey = (text: string): boolean => text.length <= 80 && text.startsWith('pk_');

/** The key as it was sent; undefined where none was. */
export function keyTextOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = headers['x-service-sdk-key'];
  return typeof given === 'string' && given !== '' ? given : undefined;
}

type Use = Parameters<Limiter['take']>[0][number];
type Limit = Use['limit'];

export interface Admission {
  /**
   * Counts a request, unless it was handed on with what was said. A preflight carries no key, and counts for its address alone.
   * @param to the route that answers it: what it counts towards
   */
  admit(request: IncomingMessage, to?: 'start'): LimitAnswer | Promise<LimitAnswer>;
  /** The next admission of this request gets the same answer. */
  handOn(request: IncomingMessage, said: LimitAnswer | Promise<LimitAnswer>): void;
}

export function createAdmission({
  limiter,
  limits,
  clientAddress,
  storefront,
}: Pick<CommercePorts, 'limiter' | 'limits' | 'clientAddress' | 'storefront'>): Admission {
  const limitsNamed = (name: string): Limits => ({
    perAddress: { name: `${name}-address`, allowed: limits.perAddressPerMinute, windowSeconds: 60 },
    perKey: limitsOf(`${name}-key`, limits.perKeyPerMinute),
  });
  const [usual, starts] = [limitsNamed('storefront'), limitsNamed('storefront-start')];
  const handed = new WeakMap<IncomingMessage, LimitAnswer | Promise<LimitAnswer>>();
  return {
    admit: (request, to) => {
      const said = handed.get(request);
      if (said !== undefined) return said;
      // Who only looks into a form takes nothing of what those may ask who send it.
      const { perAddress, perKey } = to === 'start' ? starts : usual;
      const key = request.method === 'OPTIONS' ? undefined : keyTextOf(request);
      const address = { limit: perAddress, key: limitBucket(clientAddress(request)) };
      if (key === undefined || !mayBeKey(key)) return limiter.take([address]);
      const known = storefront.knownKey(key);
      if (known !== undefined) return limiter.take([address, { limit: perKey(known.perMinute), key }]);
      // Nothing is looked up for an address that asks too often.
      return afterAddress(limiter, address, async () => ({
        limit: perKey((await storefront.keyOf(key))?.perMinute),
        key,
      }));
    },
    handOn: (request, said) => handed.set(request, said),
  };
}

interface Limits {
  readonly perAddress: Limit;
  readonly perKey: (allowed: number | undefined) => Limit;
}

/** One limit by what it allows: of the same, the text of its policy is made once. */
function limitsOf(name: string, usual: number): Limits['perKey'] {
  // Tenants choose the numbers.
  const made = new BoundedMap<number, Limit>(1_000);
  return (allowed = usual) => {
    const known = made.get(allowed);
    if (known !== undefined) return known;
    const limit = { name, allowed, windowSeconds: 60 };
    made.set(allowed, limit);
    return limit;
  };
}

/** Counts for the address, and only then finds out how often the key may ask; answers as if both were counted at once. */
async function afterAddress(limiter: Limiter, address: Use, next: () => Promise<Use>): Promise<LimitAnswer> {
  const first = await limiter.take([address]);
  if (first.refusal !== undefined) return first;
  const second = await limiter.take([await next()]);
  const fields = { ...second.fields };
  for (const name of ['ratelimit-policy', 'ratelimit'])
    fields[name] = `${first.fields[name] ?? ''}, ${second.fields[name] ?? ''}`;
  const { refusal } = second;
  return { fields, refusal: refusal && fail('rate_limited', refusal.detail, { headers: fields }) };
}
