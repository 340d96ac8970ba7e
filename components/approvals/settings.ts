import type { ApproverClient } from '@steward/access';
import { ConfigError, list, settings } from '@steward/kernel';

export interface ApprovalsSettings {
  readonly approverClients: readonly ApproverClient[];
}

type Issuers = readonly { readonly issuer: string }[];

const variables = {
  APPROVER_CLIENTS: {
    default: 'steward-console',
    says:
      'Comma list of clients whose tokens may decide pending actions and appoint people: `issuer|client`, or only the ' +
      'client id where there is one issuer.',
  },
} as const;

export const approvalsSettings = settings(
  variables,
  (env, { issuers }: { readonly issuers: Issuers }): ApprovalsSettings => ({
    approverClients: readApproverClients(list(env, 'APPROVER_CLIENTS'), issuers),
  }),
);

/**
 * `issuer|client`, or a client id alone where there is one issuer only.
 * @throws ConfigError
 */
function readApproverClients(entries: readonly string[], issuers: Issuers): ApproverClient[] {
  return entries.map((entry) => {
    const [, issuer, clientId] = /^([^|]*)\|(.*)$/s.exec(entry) ?? [entry, undefined, entry];
    if (clientId === undefined || clientId === '' || issuer === '')
      throw new ConfigError('APPROVER_CLIENTS must be a comma list of client ids, or of issuer|client.');
    if (issuer === undefined && issuers.length > 1)
      throw new ConfigError(`APPROVER_CLIENTS: with several ISSUERS, write the client ${clientId} as issuer|client.`);
    if (issuer !== undefined && issuers.length > 0 && !issuers.some((one) => one.issuer === issuer))
      throw new ConfigError(`APPROVER_CLIENTS: ${issuer} is not one of ISSUERS.`);
    return { issuer, clientId };
  });
}
