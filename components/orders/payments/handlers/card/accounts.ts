import type { Row, Statement, TenantContext } from '@steward/sql';
import type { Mode } from '../../../words.ts';

/** An account at the provider: of the tenant by its connection, or null for the deployment's. */
export interface CardAccount {
  readonly connectionId: string | null;
}

/** What is needed to speak for an account. */
export interface CardKeys {
  readonly apiKey: string;
  /** For pages of buyers; the provider means it to be public. */
  readonly publishableKey?: string | undefined;
}

/** Whose accounts take cards. Connections are those of whoever keeps secrets of providers. */
export interface CardAccounts {
  /** Reads the account of a mode, beside other things; undefined where tenants have none of their own. */
  select(tenant: string, mode: Mode): Statement | undefined;
  /** @param row of `select` */
  accountIn(row: Row | undefined, mode: Mode): CardAccount | undefined;
  /** Undefined: it has been taken away. */
  keysOf(context: TenantContext, connectionId: string | null, mode: Mode): Promise<CardKeys | undefined>;
}
