import type { IssuerConfig } from './issuers.ts';
import { ConfigError } from './read.ts';

/** A client whose tokens may decide, at the issuer that vouches for it: another issuer may have a client of the same id. */
export interface ApproverClient {
  /** Undefined: the only issuer there is. */
  readonly issuer: string | undefined;
  readonly clientId: string;
}

/**
 * `issuer|client`, or a client id alone where there is one issuer only.
 * @throws ConfigError
 */
export function readApproverClients(
  entries: readonly string[],
  issuers: readonly Pick<IssuerConfig, 'issuer'>[],
): ApproverClient[] {
  return entries.map((entry) => {
    const [, issuer, clientId] = /^([^|]*)\|(.*)$/s.exec(entry) ?? [entry, undefined, entry];
    if (clientId === undefined || clientId === '' || issuer === '')
      throw new ConfigError('APPROVER_CLIENTS is a comma list of client ids, or of issuer|client.');
    if (issuer === undefined && issuers.length > 1)
      throw new ConfigError(
        `APPROVER_CLIENTS: with several ISSUERS say whose client ${clientId} is, as issuer|client.`,
      );
    if (issuer !== undefined && issuers.length > 0 && !issuers.some((one) => one.issuer === issuer))
      throw new ConfigError(`APPROVER_CLIENTS: ${issuer} is none of ISSUERS.`);
    return { issuer, clientId };
  });
}
