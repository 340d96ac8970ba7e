import { ConfigError, list, settings } from '@steward/kernel';

export interface ConsoleSettings {
  /** By issuer; undefined is the only issuer there is. An issuer without one has a public client. */
  readonly consoleSecrets: ReadonlyMap<string | undefined, string>;
}

type Issuers = readonly { readonly issuer: string }[];

const variables = {
  CONSOLE_CLIENT_SECRETS: {
    default: '',
    says:
      'Comma list of the secrets of the console’s clients (the first of `APPROVER_CLIENTS` of each issuer): `issuer|secret`, or only the secret where ' +
      'there is one issuer. Without one the client is public. Register `{origin of the portal}/console/signed-in` as its redirect.',
  },
} as const;

export const consoleSettings = settings(
  variables,
  (env, { issuers }: { readonly issuers: Issuers }): ConsoleSettings => ({
    consoleSecrets: new Map(
      list(env, 'CONSOLE_CLIENT_SECRETS').map((entry) => {
        const cut = entry.indexOf('|');
        if (cut < 0 && issuers.length > 1)
          throw new ConfigError('CONSOLE_CLIENT_SECRETS: with several ISSUERS, write each secret as issuer|secret.');
        const issuer = cut < 0 ? undefined : entry.slice(0, cut);
        if (issuer !== undefined && !issuers.some((one) => one.issuer === issuer))
          throw new ConfigError(`CONSOLE_CLIENT_SECRETS: ${issuer} is not one of ISSUERS.`);
        return [issuer ?? issuers[0]?.issuer, entry.slice(cut + 1)] as const;
      }),
    ),
  }),
);
