import { ConfigError, hexDigest, isLoopback, list, oneOf, settings, text, type ProcessConfig } from '@steward/kernel';
import { readIssuers, type IssuerConfig } from './token/issuers.ts';

export interface IdentitySettings {
  /** Empty: the development identity provider is the only issuer. */
  readonly issuers: readonly IssuerConfig[];
  readonly developmentIssuer: 'loopback' | 'unsafe-public';
  readonly serviceTokens: readonly { readonly name: string; readonly sha256: string }[];
}

const variables = {
  ISSUERS: {
    default: '',
    says: 'JSON array of accepted token issuers, see the operator guide. Empty starts the development identity provider.',
  },
  DEV_IDP: {
    default: '',
    says: '`unsafe-public` lets the development identity provider run on addresses that are not loopback (tunnels).',
  },
  SERVICE_TOKENS: {
    default: '',
    says: 'Comma list of name:sha256 (hex) of platform service tokens. A name may appear twice during rotation.',
  },
} as const;

export const identitySettings = settings(variables, (env, config): IdentitySettings => {
  const developmentIssuer = text(env, 'DEV_IDP');
  const read: IdentitySettings = {
    issuers: readIssuers(text(env, 'ISSUERS')),
    developmentIssuer: developmentIssuer === '' ? 'loopback' : oneOf('DEV_IDP', developmentIssuer, ['unsafe-public']),
    serviceTokens: list(env, 'SERVICE_TOKENS').map(serviceToken),
  };
  refuseDevelopmentIssuerInPublic({ ...config, ...read });
  return read;
});

function serviceToken(entry: string): { name: string; sha256: string } {
  const [name = '', digest = '', ...rest] = entry.split(':');
  if (!/^[a-z0-9_.-]{1,64}$/i.test(name) || rest.length > 0) {
    throw new ConfigError(
      'SERVICE_TOKENS must be a comma list of name:sha256; `steward token --service NAME` prints an entry.',
    );
  }
  return { name, sha256: hexDigest('SERVICE_TOKENS', digest) };
}

function refuseDevelopmentIssuerInPublic(config: ProcessConfig & IdentitySettings): void {
  if (config.issuers.length > 0) return;
  const mend = 'Configure ISSUERS with your identity provider.';
  if (config.production) {
    throw new ConfigError(`The development identity provider does not start with NODE_ENV=production. ${mend}`);
  }
  if (config.developmentIssuer === 'unsafe-public') return;
  const exposed = Object.values(config.addresses(config.port))
    .map((address) => new URL(address).hostname)
    .concat(config.host)
    .find((hostname) => !isLoopback(hostname));
  if (exposed !== undefined) {
    throw new ConfigError(
      'The development identity provider lets anybody log in as anybody, so it serves only loopback addresses, and ' +
        `${exposed} is not one. ${mend} For a throw-away tunnel, set DEV_IDP=unsafe-public.`,
    );
  }
}
