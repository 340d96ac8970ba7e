import { trimEnd } from '../trim.ts';
import { ConfigError, text, type Source } from './read.ts';

/** Public base URLs, without a trailing slash. A component's base URL is its mount (contracts §2). */
export interface Addresses {
  readonly mcp: string;
  readonly mcpAlias: string;
  readonly portal: string;
  readonly accounting: string;
  readonly commerce: string;
  readonly studio: string;
  readonly storefront: string;
  /** The development identity provider, when it runs. */
  readonly issuer: string;
}

/** Reads what is configured at once, so that a bad address refuses the start; the port may be known only later. */
export function readAddresses(source: Source<AddressVariable | 'HOST'>): (port: number) => Addresses {
  const { env } = source;
  const host = text(source, 'HOST');
  const resolve = (port: number): Addresses => {
    const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const bracketed = reachable.includes(':') ? `[${reachable}]` : reachable;
    const origin = given(env, 'PUBLIC_URL') ?? `http://${bracketed}:${port}`;
    const mcp = given(env, 'MCP_URL') ?? `${origin}/mcp`;
    const commerce = given(env, 'COMMERCE_URL') ?? `${origin}/commerce`;
    return {
      mcp,
      mcpAlias: given(env, 'MCP_ALIAS_URL') ?? `${new URL(mcp).origin}/rpc`,
      portal: given(env, 'PORTAL_URL') ?? `${origin}/portal`,
      accounting: given(env, 'ACCOUNTING_URL') ?? `${origin}/accounting`,
      commerce,
      studio: given(env, 'STUDIO_URL') ?? `${origin}/studio`,
      storefront: `${commerce}/storefront/v1`,
      issuer: `${origin}/idp`,
    };
  };
  resolve(0);
  return resolve;
}

type AddressVariable =
  | 'PUBLIC_URL'
  | 'MCP_URL'
  | 'MCP_ALIAS_URL'
  | 'PORTAL_URL'
  | 'ACCOUNTING_URL'
  | 'COMMERCE_URL'
  | 'STUDIO_URL';

function given(env: Source['env'], name: AddressVariable): string | undefined {
  const value = env[name]?.trim();
  if (value === undefined || value === '') return undefined;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(`${name} must be an http(s) URL without query or fragment, not ${JSON.stringify(value)}.`);
  }
  return trimEnd(url.href, '/');
}
