import type { Secrets } from '@steward/audit';
import { connectionCredentials, selectConnectionFor } from '@steward/callbacks';
import { Problem } from '@steward/kernel';
import { askProviders } from '../../../permissions.ts';
import type { CardAccounts } from './accounts.ts';

/** Where connections of accounts that take cards for shops are made. */
export const cardReceiver = 'commerce.card_payments';

/** Accounts of tenants, by their connections. A payment keeps to the account that it was begun with. */
export const connectedAccounts = (secrets: Pick<Secrets, 'open'>): CardAccounts => ({
  select: (tenant, mode) => selectConnectionFor(tenant, { receiver: cardReceiver, live: mode === 'live' }),
  accountIn: (row) => (row === undefined ? undefined : { connectionId: String(row['connection_id']) }),
  keysOf: async (context, connectionId, mode) => {
    if (connectionId === null) return undefined;
    try {
      const reading = { context, query: context.require(askProviders).read };
      const { live, secrets: opened, settings } = await connectionCredentials(reading, connectionId, secrets);
      const apiKey = opened['apiKey'];
      if (apiKey === undefined || live !== (mode === 'live')) return undefined;
      return { apiKey, publishableKey: settings['publishableKey'] };
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    }
  },
});
