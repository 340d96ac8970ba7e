import type { Log } from '@steward/kernel';
import type { CardAccounts } from './handlers/card/accounts.ts';
import { createCard } from './handlers/card/card.ts';
import { cardClient } from './handlers/card/client.ts';
import { withLent } from './handlers/card/lent.ts';
import type { CardSettings } from './handlers/card/settings.ts';
import { type Handlers, handlersWith } from './handlers/handlers.ts';

/** What a process has to be paid by. */
export interface Payments {
  readonly handlers: Handlers;
  /** Whose accounts take cards; without it nobody's do. */
  readonly accounts?: CardAccounts;
}

/** @param from.own accounts of tenants */
export function createPayments({
  settings: { api, account },
  own,
  log,
}: {
  readonly settings: Pick<CardSettings, 'api' | 'account'>;
  readonly own?: CardAccounts | undefined;
  readonly log: Pick<Log, 'warn'>;
}): Payments {
  const accounts = withLent(own, account);
  return { accounts, handlers: handlersWith([createCard({ accounts, client: cardClient(api), log })]) };
}
