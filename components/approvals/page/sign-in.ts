import { fetchJson, isLoopback, type Clock, type Log } from '@steward/kernel';
import { z } from 'zod';

/** Where people sign in to decide. */
export interface SignIn {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** For identity providers that know no resource indicators (RFC 8707): asked for as `audience`. */
  readonly audience?: string;
}

const trustworthy = z.url().refine((address) => {
  const url = new URL(address);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
});

const metadata = z.object({ issuer: z.string(), authorization_endpoint: trustworthy, token_endpoint: trustworthy });

/** Kept for ten minutes; not asked again for ten seconds after a failure. */
const fresh = 600_000;
const patience = 10_000;

/**
 * The endpoints of configured issuers, as each publishes them (OpenID Connect Discovery 1.0 §4): no redirects, 3 s, 256 KiB.
 * @returns a function that leaves out issuers out of reach
 */
export function discovering(
  issuers: readonly { readonly issuer: string; readonly audiences: readonly string[] }[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<readonly SignIn[]> {
  const known = new Map<string, { readonly found: SignIn | undefined; readonly until: number }>();
  const discover = async ({ issuer, audiences }: (typeof issuers)[number]): Promise<SignIn | undefined> => {
    const held = known.get(issuer);
    if (held !== undefined && clock() < held.until) return held.found;
    try {
      const { authorization_endpoint, token_endpoint } = await read(issuer);
      const [audience] = audiences;
      const found: SignIn = {
        issuer,
        authorizationEndpoint: authorization_endpoint,
        tokenEndpoint: token_endpoint,
        ...(audience === undefined ? {} : { audience }),
      };
      known.set(issuer, { found, until: clock() + fresh });
      return found;
    } catch (err) {
      log.warn({ issuer, err }, 'the metadata of an issuer cannot be read, so nobody can sign in with it to decide');
      known.set(issuer, { found: held?.found, until: clock() + patience });
      return held?.found;
    }
  };
  return async () => (await Promise.all(issuers.map(discover))).filter((found) => found !== undefined);
}

async function read(issuer: string): Promise<z.infer<typeof metadata>> {
  const found = metadata.parse(await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
  if (found.issuer !== issuer) throw new Error('the metadata is of another issuer');
  return found;
}
