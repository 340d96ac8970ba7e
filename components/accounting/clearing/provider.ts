import { type Delivery, NeverApplies } from '@steward/callbacks';
import type { Log, ProviderClient } from '@steward/kernel';
import { createProviderClient, ProviderRefused } from '@steward/kernel';
import type { Said } from './said.ts';

/** A tenant's account at a provider, with what its API is asked with. */
export interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly account: string | null;
  readonly live: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** How a provider of payments says what moved. */
export interface ClearingProvider {
  /** The name of its adapter. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly topics: readonly string[];
  /** Secrets of a connection beside the signing one, by name. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Those of them without which it says less. */
  readonly optional?: readonly string[];
  /** What else of a connection it reads. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Names of those of them that it cannot do without. */
  readonly needs?: readonly string[];
  /** Names of those of them that say whose account it is. */
  readonly fixed?: readonly string[];
  /** Whose account given secrets are of, as the provider says. */
  accountOf?(connection: Omit<Connection, 'secrets'>, secrets: Connection['secrets']): Promise<string | undefined>;
  /** What it says now of what an event is about; no transaction is open meanwhile. @throws NeverApplies where no repetition helps */
  say(connection: Connection, delivery: Delivery, signal: AbortSignal, unpaid: Unpaid): Promise<Said>;
}

/** Some charges and refunds of before a day of which no payout is known, the oldest first, by their ids: of a provider that tells of no settlement. */
export type Unpaid = (before: string) => Promise<readonly string[]>;

/** The API of a provider: of its live accounts and, where it has one, of its tests. */
export interface Api {
  of(connection: Pick<Connection, 'live'>): ProviderClient;
}

export function apiOf(name: string, bases: { readonly live: string; readonly test?: string }, log: Log): Api {
  const live = createProviderClient({ name, base: bases.live, log });
  const test = bases.test === undefined ? live : createProviderClient({ name, base: bases.test, log });
  return { of: (connection) => (connection.live ? live : test) };
}

/** A secret that the connection was given. @throws Error that names it, since it may be given later */
export function secretOf({ secrets, provider }: Connection, name: string): string {
  const secret = secrets[name];
  if (secret === undefined || secret === '') throw new Error(`the connection to ${provider} has no secret ${name}`);
  return secret;
}

/** What the scheme or the API of a connection needs beside secrets. @throws NeverApplies until a person gives it */
export function settingOf({ settings, provider }: Connection, name: string): string {
  const setting = settings[name];
  if (setting === undefined || setting === '')
    throw new NeverApplies(
      `the connection to ${provider} has no setting ${name}: give it with its secrets, and retry this`,
    );
  return setting;
}

/** An id that an event names, as a segment of a path. @throws NeverApplies where it can be none */
export function segment(id: unknown, form = /^[A-Za-z0-9_-]{1,100}$/): string {
  if (typeof id !== 'string' || !form.test(id)) throw new NeverApplies('the event names nothing that can be looked up');
  return encodeURIComponent(id);
}

/** Of names of the account that something is of, one must be the connection's. @throws NeverApplies */
export function requireOwn(account: string, names: readonly string[]): void {
  if (names.length > 0 && !names.includes(account))
    throw new NeverApplies('the event is of another account than the connection: connect that one too, if it is yours');
}

/** What is asked, or never where the provider has no such thing. */
export async function found<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ProviderRefused && error.status === 404)
      throw new NeverApplies('the provider has no such thing in this account');
    throw error;
  }
}
