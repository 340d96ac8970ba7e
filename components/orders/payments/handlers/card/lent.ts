import type { CardAccounts } from './accounts.ts';
import type { DeploymentAccount } from './settings.ts';

/** Accounts of tenants, and for those that have none in a mode that of the deployment, where it has one of that mode. */
export function withLent(own: CardAccounts | undefined, lent: DeploymentAccount | undefined): CardAccounts {
  const lentIn = (mode: string): DeploymentAccount | undefined => (lent?.live === (mode === 'live') ? lent : undefined);
  return {
    select: (tenant, mode) => own?.select(tenant, mode),
    accountIn: (row, mode) =>
      own?.accountIn(row, mode) ?? (lentIn(mode) === undefined ? undefined : { connectionId: null }),
    keysOf: async (context, connectionId, mode) =>
      connectionId === null ? lentIn(mode) : own?.keysOf(context, connectionId, mode),
  };
}
