import { type Delivery, NeverApplies } from '@steward/callbacks';
import { isCurrency, ProviderRefused, type ProviderClient } from '@steward/kernel';
import { type Api, type Connection, secretOf } from '../clearing/provider.ts';
import {
  dayOf,
  decimal,
  listOf,
  type Members,
  membersOf,
  required,
  textOf,
  UnexpectedAnswer,
} from '../clearing/read.ts';
import type { Movement } from '../feeds/movement.ts';

const pageSize = 250;
/** Of one update at most: 25,000 movements. */
const mostPages = 100;
/** How often an update is begun again that changes while it is read. */
const mostRestarts = 3;

export type ConnectionState = 'good' | 'login_required' | 'expiring' | 'revoked' | 'error';

/** A movement of an account at the bank. */
export interface BankMovement extends Movement {
  /** As the provider names the account. */
  readonly remote: string;
  readonly currency: string;
}

/** All that changed since a cursor. */
export interface Update {
  readonly from: string | null;
  readonly to: string;
  readonly movements: readonly BankMovement[];
  readonly removed: readonly string[];
  /** What accounts are called, by their id there. */
  readonly names: ReadonlyMap<string, string>;
}

/** How a connection with a bank stands, and what is new where it may be read. */
export interface BankNews {
  readonly state: ConnectionState;
  readonly fault: string | null;
  readonly update?: Update;
}

/** What Plaid says of an item: its state, and its movements by cursor. */
export interface Plaid {
  news(
    connection: Connection,
    delivery: Pick<Delivery, 'account'>,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<BankNews>;
  /** The item that an access token is of. It has Plaid tell of movements from then on, which it does only once somebody asked for them. */
  accountOf(connection: Omit<Connection, 'secrets'>, secrets: Connection['secrets']): Promise<string | undefined>;
}

type Ask = (path: string, body?: Members) => Promise<Members>;

export const createPlaidApi = (api: Api): Plaid => ({
  news: async (connection, delivery, cursor, signal) => {
    const ask = asker(api.of(connection), connection, signal);
    try {
      const item = membersOf((await ask('/item/get'))['item']);
      if (delivery.account !== null && item['item_id'] !== delivery.account)
        throw new NeverApplies('the access token of the connection is of another item');
      const fault = textOf(membersOf(item['error'])['error_code']);
      if (fault !== undefined) return { state: stateOf(fault), fault };
      return { state: 'good', fault: null, update: await updateSince(ask, cursor) };
    } catch (error) {
      const state = error instanceof ProviderRefused && error.code !== undefined ? stateOf(error.code) : undefined;
      if (state === undefined || state === 'error') throw error;
      return { state, fault: (error as ProviderRefused).code ?? null };
    }
  },
  accountOf: async (connection, secrets) => {
    if (secrets['accessToken'] === undefined || secrets['signing'] === undefined) return undefined;
    const ask = asker(api.of(connection), { ...connection, secrets }, AbortSignal.timeout(10_000));
    const item = membersOf((await ask('/item/get'))['item']);
    await ask('/transactions/sync', { count: 1 });
    return required(item['item_id'], 'item_id');
  },
});

const revoked = new Set(['ITEM_NOT_FOUND', 'INVALID_ACCESS_TOKEN', 'USER_PERMISSION_REVOKED', 'ACCESS_NOT_GRANTED']);

function stateOf(code: string): ConnectionState {
  if (code === 'ITEM_LOGIN_REQUIRED') return 'login_required';
  return revoked.has(code) ? 'revoked' : 'error';
}

function asker(client: ProviderClient, connection: Connection, signal: AbortSignal): Ask {
  const common = {
    client_id: connection.settings['client_id'] ?? '',
    secret: secretOf(connection, 'signing'),
    access_token: secretOf(connection, 'accessToken'),
  };
  return async (path, body = {}) =>
    membersOf((await client.call('POST', path, { body: { ...common, ...body }, signal })).body);
}

/** Page by page, from the first one again where the data changed meanwhile: half an update is none. */
async function updateSince(ask: Ask, from: string | null): Promise<Update> {
  for (let tries = 0; ; tries += 1)
    try {
      return await pagesSince(ask, from);
    } catch (error) {
      const changed = error instanceof ProviderRefused && error.code === 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION';
      if (!changed || tries === mostRestarts) throw error;
    }
}

async function pagesSince(ask: Ask, from: string | null): Promise<Update> {
  const movements = new Map<string, BankMovement>();
  const removed = new Set<string>();
  const names = new Map<string, string>();
  let cursor = from;
  for (let page = 0; page < mostPages; page += 1) {
    const said = await ask('/transactions/sync', { count: pageSize, ...(cursor === null ? {} : { cursor }) });
    for (const one of listOf(said['accounts'])) names.set(required(one['account_id'], 'account_id'), nameOf(one));
    for (const one of [...listOf(said['added']), ...listOf(said['modified'])]) {
      const id = required(one['transaction_id'], 'transaction_id');
      const movement = movementOf(id, one);
      movements.delete(id);
      // What is pending is not booked: it is told of under another id once it is.
      if (movement === undefined) removed.add(id);
      else {
        removed.delete(id);
        movements.set(id, movement);
      }
    }
    for (const one of listOf(said['removed'])) {
      const id = required(one['transaction_id'], 'transaction_id');
      movements.delete(id);
      removed.add(id);
    }
    const next = said['next_cursor'];
    if (typeof next !== 'string' || next.length > 1000)
      throw new UnexpectedAnswer('the provider’s answer has no next_cursor');
    // Before anything was read from the bank there is none.
    if (said['has_more'] !== true)
      return { from, to: next, movements: [...movements.values()], removed: [...removed], names };
    if (next === cursor) throw new UnexpectedAnswer('the provider’s list does not go on');
    cursor = next;
  }
  throw new NeverApplies(`the provider tells of more than ${mostPages * pageSize} movements at once`);
}

function movementOf(id: string, said: Members): BankMovement | undefined {
  if (said['pending'] === true) return undefined;
  const currency = textOf(said['iso_currency_code']);
  // Of what is no money, such as securities, nothing is in the books.
  if (currency === undefined || !isCurrency(currency)) return undefined;
  const words = [textOf(said['original_description']), textOf(said['name']), textOf(said['merchant_name'])];
  return {
    id,
    kind: 'bank',
    remote: required(said['account_id'], 'account_id'),
    currency,
    day: dayOf(said['date'], 'date'),
    // Plaid says what left the account as more than nothing.
    amount: -decimal(said['amount'], currency, 'amount'),
    description: words.find((one) => one !== undefined) ?? '',
    counterparty: textOf(said['merchant_name']) ?? null,
    reference: textOf(membersOf(said['payment_meta'])['reference_number']) ?? null,
  };
}

function nameOf(said: Members): string {
  const mask = textOf(said['mask']);
  return `${textOf(said['name']) ?? 'Account'}${mask === undefined ? '' : ` …${mask}`}`;
}
