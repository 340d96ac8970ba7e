import type { Decider, ReadAccessProfile } from '@steward/access';
import type { Identity } from '@steward/identity';
import type { Clock, Log, RecordedEvent } from '@steward/kernel';
import type { Tenancy, TenantTransaction } from '@steward/sql';
import type { Command, Taken } from '@steward/tools';
import type { Language } from './mail/words.ts';
import type { Minor } from './policy/money.ts';
import type { Binding } from './shown/binding.ts';

import type { Seals } from './seal.ts';

/** What commands, nouns and members of arguments are called in a language. */
export interface Called {
  /** Undefined: by its own title. */
  readonly command: (name: string) => string | undefined;
  readonly thing: (name: string) => string;
}

/** What this component is given; its verbs take it as it is. */
export interface Deps {
  readonly tenancy: Tenancy;
  readonly identity: Pick<Identity, 'memberships' | 'people' | 'changed' | 'cached' | 'tenant' | 'decision'>;
  /** Says which tools are switched off, and the version of the tenant's tool policy. */
  readonly accessProfile: ReadAccessProfile;
  /** Every command there is, by name. */
  readonly commands: ReadonlyMap<string, Command>;
  /** The names of all tools of tenants, commands or not. */
  readonly toolNames: ReadonlySet<string>;
  /** What the entries among the events that a transaction recorded took out; undefined for nothing. */
  readonly taken: (tx: TenantTransaction, events: readonly RecordedEvent[]) => Promise<Taken | undefined>;
  /** An amount in the base currency, by the rate that the books have; undefined where they have none or it is in that currency already. */
  readonly worth: (tx: TenantTransaction, money: Minor) => Promise<Minor | undefined>;
  readonly binding: Binding;
  /** Distinguishes our votes, policies and rules from rows that somebody wrote past the application. */
  readonly seals: Seals;
  /** The portal's public base URL: its routes are mounted there. */
  readonly portal: string;
  readonly decider: Pick<Decider, 'require' | 'requireFor'>;
  /** What people call the tenant. */
  readonly organizationName: (tenant: string) => Promise<string>;
  /** In which the tenant is written to. */
  readonly language: (tx: Pick<TenantTransaction, 'context' | 'query'>) => Promise<Language>;
  readonly called: (language: Language) => Promise<Called>;
  /** Whether approvers get emails; otherwise none is queued. */
  readonly notifies: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where people decide about an action. */
export const approvalPage = (portal: string, id: string): string => `${portal}/approvals/${id}`;
