import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql, type Row } from '@steward/sql';
import { createStub, type Asked, type Said, type Stub } from '@steward/testing/stub-api';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { createWorld, type Json, type World } from '../world/index.ts';
import { openTenant, type Tenant } from './tenant.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

interface BankTransaction {
  readonly transaction_id: string;
  readonly account_id: string;
  readonly amount: number;
  readonly date: string;
  readonly name: string;
  readonly pending?: boolean;
  readonly iso_currency_code?: string;
}

/** An item at Plaid: its movements are a log, and a cursor is a place in it. */
class Item {
  readonly log: { readonly kind: 'added' | 'modified' | 'removed'; readonly of: BankTransaction }[] = [];
  error: { error_code: string } | null = null;
  mutations = 0;
  readonly id: string;
  readonly token: string;
  constructor(id: string) {
    this.id = id;
    this.token = `access-production-${id}`;
  }
  add(...some: readonly BankTransaction[]): void {
    for (const of of some) this.log.push({ kind: 'added', of });
  }
  modify(of: BankTransaction): void {
    this.log.push({ kind: 'modified', of });
  }
  remove(of: BankTransaction): void {
    this.log.push({ kind: 'removed', of });
  }
  sync(cursor: number, count: number): Said {
    if (this.error !== null) return { status: 400, body: { error_type: 'ITEM_ERROR', ...this.error } };
    if (cursor > 0 && cursor < this.log.length && this.mutations > 0) {
      this.mutations -= 1;
      return {
        status: 400,
        body: { error_type: 'TRANSACTIONS_ERROR', error_code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION' },
      };
    }
    const page = this.log.slice(cursor, cursor + Math.min(count, 2));
    const of = (kind: string): object[] =>
      page.filter((one) => one.kind === kind).map((one) => ({ iso_currency_code: 'USD', pending: false, ...one.of }));
    return {
      body: {
        accounts: [{ account_id: 'acc-1', name: 'Checking', mask: '0001' }],
        added: of('added'),
        modified: of('modified'),
        removed: of('removed'),
        next_cursor: String(cursor + page.length),
        has_more: cursor + page.length < this.log.length,
      },
    };
  }
}

describe('what banks and filers tell', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let stub: Stub;
  let key: CryptoKey;
  let jwk: JWK;
  const items = new Map<string, Item>();
  const filings = new Map<string, object>();
  const w9s = new Map<string, object>();
  const tin = '12-3456789';

  const answer = ({ path, body, query, headers }: Asked): Said => {
    if (path === '/v2/tbsauth')
      return String(headers['authentication']).split('.').length === 3
        ? { body: { StatusCode: 200, AccessToken: 'jwt', TokenType: 'Bearer', ExpiresIn: 3600 } }
        : { status: 401, body: {} };
    if (path.startsWith('/v1.7.3/')) {
      if (headers.authorization !== 'Bearer jwt') return { status: 401, body: {} };
      const found = path.endsWith('/FormW9/Get')
        ? w9s.get(query.get('PayeeRef') ?? '')
        : filings.get(query.get('SubmissionId') ?? '');
      return found === undefined ? { status: 404, body: {} } : { body: found };
    }
    const asked = JSON.parse(body) as {
      access_token?: string;
      cursor?: string;
      count?: number;
      client_id?: string;
      secret?: string;
    };
    if (asked.client_id !== 'client' || asked.secret !== 'plaid-secret')
      return { status: 400, body: { error_code: 'INVALID_API_KEYS' } };
    if (path === '/webhook_verification_key/get') return { body: { key: { ...jwk, expired_at: null } } };
    const item = items.get(asked.access_token ?? '');
    if (item === undefined) return { status: 400, body: { error_code: 'INVALID_ACCESS_TOKEN' } };
    if (path === '/item/get') return { body: { item: { item_id: item.id, error: item.error } } };
    return item.sync(Number(asked.cursor ?? '0'), asked.count ?? 100);
  };

  before(async () => {
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    jwk = { ...(await exportJWK(pair.publicKey)), alg: 'ES256', kid: 'key-1' };
    stub = stack.use(await createStub(answer));
    world = stack.use(
      await createWorld({
        ACCOUNTING_PLAID_URL: stub.url,
        ACCOUNTING_TAXBANDITS_URL: stub.url,
        ACCOUNTING_TAXBANDITS_LOGIN_URL: stub.url,
        ACCOUNTING_TAXBANDITS_TEST_URL: stub.url,
        ACCOUNTING_TAXBANDITS_LOGIN_TEST_URL: stub.url,
      }),
    );
  });
  after(async () => stack.disposeAsync());

  const post = async (path: string, body: string, headers: Record<string, string>): Promise<number> => {
    const answered = await world.call(`${world.server.addresses.accounting}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    assert.ok(answered.status < 500, JSON.stringify(answered.body));
    return answered.status;
  };
  let sent = 0;
  const tell = async (item: Item, code = 'SYNC_UPDATES_AVAILABLE', type = 'TRANSACTIONS'): Promise<void> => {
    sent += 1;
    const body = JSON.stringify({
      webhook_type: type,
      webhook_code: code,
      item_id: item.id,
      environment: 'production',
      sent,
    });
    const token = await new SignJWT({ request_body_sha256: createHash('sha256').update(body).digest('hex') })
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'JWT' })
      .setIssuedAt()
      .sign(key);
    assert.equal(await post('/webhooks/bank_feed', body, { 'plaid-verification': token }), 200);
  };
  let counter = 0;
  const opened = async (): Promise<Tenant> => {
    counter += 1;
    const own = await openTenant(world, `bank${counter}@example.com`, { defaultCurrency: 'USD' });
    stack.defer(async () => own.admin[Symbol.asyncDispose]());
    return own;
  };
  const connected = async (): Promise<{ own: Tenant; item: Item }> => {
    const own = await opened();
    const item = new Item(`item-${counter}`);
    items.set(item.token, item);
    await own.connect(
      { receiver: 'accounting.bank_feed', provider: 'plaid', settings: { client_id: 'client' } },
      { accessToken: item.token, signing: 'plaid-secret' },
    );
    return { own, item };
  };
  const one = (
    id: string,
    amount: number,
    date: string,
    name: string,
    more: Partial<BankTransaction> = {},
  ): BankTransaction => ({
    transaction_id: id,
    account_id: 'acc-1',
    amount,
    date,
    name,
    ...more,
  });
  const lines = async (own: Tenant): Promise<string[]> =>
    list((await own.act('service_list_bank_lines', { account: '1000' }))['lines']).map(
      (line) => `${String(line['day'])} ${String(line['amount']?.['amount'])} ${String(line['description'])}`,
    );
  const feed = async (own: Tenant): Promise<Json> => list((await own.act('service_list_feeds', {}))['feeds'])[0] ?? {};
  const choose = async (own: Tenant): Promise<Json> =>
    own.act('service_set_feed_account', {
      feed_id: (await feed(own))['feedId'] ?? (await feed(own))['feed_id'],
      account: '1000',
    });

  test('movements of a bank wait for an account, come by cursor, and change and go with what the bank says', async () => {
    const { own, item } = await connected();
    const coffee = one('t-1', 2.5, '2026-09-01', 'Coffee');
    const pending = one('t-p', 80, '2026-09-02', 'Hotel', { pending: true });
    const invoice = one('t-2', -100, '2026-09-02', 'Invoice 7');
    item.add(coffee, pending, invoice);
    await tell(item, 'INITIAL_UPDATE');
    await own.settled();
    assert.equal((await feed(own))['waiting'], 2);
    await choose(own);
    assert.deepEqual(await lines(own), ['2026-09-01 -2.50 Coffee', '2026-09-02 100.00 Invoice 7']);

    const posted = one('t-3', 81.25, '2026-09-04', 'Hotel');
    item.remove(pending);
    item.add(posted);
    item.modify({ ...coffee, amount: 3.5 });
    item.remove(invoice);
    item.mutations = 1;
    await tell(item);
    await own.settled();
    assert.deepEqual(await lines(own), ['2026-09-01 -3.50 Coffee', '2026-09-04 -81.25 Hotel']);
    await Promise.all([tell(item), tell(item), tell(item, 'DEFAULT_UPDATE')]);
    await own.settled();
    assert.deepEqual(await lines(own), ['2026-09-01 -3.50 Coffee', '2026-09-04 -81.25 Hotel']);
  });

  test('two syncs at once and an API that fails half-way write each movement once', async () => {
    const { own, item } = await connected();
    item.add(one('a-0', 1, '2026-09-01', 'First'));
    await tell(item);
    await own.settled();
    await choose(own);
    item.add(...Array.from({ length: 9 }, (_, nth) => one(`a-${nth + 1}`, nth + 1, '2026-09-03', `Shop ${nth + 1}`)));
    stub.fail('half', 'broken', 'limited', 'silent');
    await Promise.all(Array.from({ length: 6 }, async () => tell(item)));
    const deliveries = await own.settled();
    assert.deepEqual(
      deliveries.filter(({ status }) => status === 'dead'),
      [],
    );
    assert.equal((await lines(own)).length, 10);
    const [kept] = await own.admin.query<Row>(
      sql`select cursor from accounting.bank_connection where tenant_id = ${own.tenant}::uuid`,
    );
    assert.equal(kept?.['cursor'], '10');
  });

  test('days that a file brought are not doubled, before or after, and another movement may be taken', async () => {
    const { own, item } = await connected();
    const csv = (...rows: readonly string[]): string => ['Date,Amount,Description', ...rows].join('\n');
    const load = async (...rows: readonly string[]): Promise<Json> =>
      own.act('service_import_bank_statement', { account: '1000', format: 'csv', content: csv(...rows) });
    await load('2026-09-01,-2.50,COFFEE HOUSE', '2026-09-02,100.00,Invoice 7');
    item.add(
      one('d-1', 2.5, '2026-09-01', 'Coffee'),
      one('d-2', -100, '2026-09-02', 'Invoice 7'),
      one('d-3', 2.5, '2026-09-01', 'Coffee'),
    );
    await tell(item);
    await own.settled();
    await choose(own);
    assert.equal((await lines(own)).length, 3, 'one of two equal ones is the file’s');
    assert.equal((await feed(own))['doubles'], 2);
    item.add(one('d-4', 7, '2026-09-05', 'Lunch'));
    await tell(item);
    await own.settled();
    assert.equal((await load('2026-09-05,-7.00,LUNCH AT JOE')).doubles as unknown as number, 1);
    assert.equal((await lines(own)).length, 4);
    const feedId = (await feed(own))['feed_id'];
    const [double] = list(
      (await own.act('service_list_feed_movements', { feed_id: feedId, state: 'double' }))['movements'],
    );
    await own.act('service_take_feed_movements', { feed_id: feedId, movement_ids: [double?.['movement_id']] });
    assert.equal((await lines(own)).length, 5);
  });

  test('a login that a bank asks for again is told, and that it was repaired', async () => {
    const { own, item } = await connected();
    item.add(one('e-1', 1, '2026-09-01', 'First'));
    await tell(item);
    await own.settled();
    item.error = { error_code: 'ITEM_LOGIN_REQUIRED' };
    await tell(item, 'ERROR', 'ITEM');
    await own.settled();
    const told = await feed(own);
    assert.deepEqual([String(told['state']), String(told['fault'])], ['login_required', 'ITEM_LOGIN_REQUIRED']);
    item.error = null;
    item.add(one('e-2', 2, '2026-09-02', 'Second'));
    await tell(item, 'LOGIN_REPAIRED', 'ITEM');
    await own.settled();
    assert.equal(String((await feed(own))['state']), 'good');
    assert.equal((await feed(own))['waiting'], 2);
    await tell(item, 'PENDING_EXPIRATION', 'ITEM');
    await tell(item);
    await own.settled();
    assert.equal(String((await feed(own))['state']), 'expiring');
  });

  test('filings stand as the filer says when it is asked, and a W-9 seals the number that a payee gave', async () => {
    const own = await opened();
    const wish = { receiver: 'accounting.tax_forms', provider: 'taxbandits', settings: { client_id: 'tb' } };
    const secrets = { signing: 'tb-secret', userToken: 'user' };
    const [connection, sandbox] = [
      await own.connect(wish, secrets),
      await own.connect({ ...wish, live: false }, secrets),
    ];
    const tellTax = async (body: object, of = connection): Promise<void> => {
      const at = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', 'tb-secret').update(`tb\n${at}`).digest('base64');
      const path = `/webhooks/tax_forms/1099?c=${of}`;
      assert.equal(await post(path, JSON.stringify(body), { signature, timestamp: at }), 200);
    };
    const party = await own.act('service_create_party', { name: 'Ann Payee', supplier: true });
    const partyId = String(party['party']?.['id']);
    const submission = '9d71ae45-df5f-49f7-86f8-e88f54132fa1';
    const status = (word: string, at: string): object => ({
      SubmissionId: submission,
      Form1099Records: {
        SuccessRecords: [{ RecordId: 'r-1', PayeeRef: partyId, FederalReturn: { Status: word, StatusTs: at } }],
      },
    });
    filings.set(submission, status('SENT TO AGENCY', '2026-09-01 10:00:00 -04:00'));
    const event = (word: string): object => ({
      SubmissionId: submission,
      FormType: 'FORM1099NEC',
      Records: [{ RecordId: 'r-1', Status: word, StatusTs: word }],
    });
    await tellTax(event('ACCEPTED'));
    await own.settled();
    const told = async (): Promise<string[]> =>
      list((await own.act('service_list_tax_filings', {}))['filings']).map(
        (one) => `${String(one['form'])} ${String(one['status'])} ${String(one['party_name'])}`,
      );
    assert.deepEqual(await told(), ['Form1099NEC transmitted Ann Payee'], 'the event is not believed');
    filings.set(submission, status('ACCEPTED', '2026-09-02 10:00:00 -04:00'));
    await tellTax(event('SENT'));
    await own.settled();
    filings.set(submission, status('SENT TO AGENCY', '2026-09-01 10:00:00 -04:00'));
    await tellTax(event('LATE'));
    await own.settled();
    assert.deepEqual(await told(), ['Form1099NEC accepted Ann Payee']);
    await tellTax(event('TRIED'), sandbox);
    await own.settled();
    assert.equal((await told()).at(-1), 'Form1099NEC (sandbox) transmitted Ann Payee', 'nothing was filed');

    w9s.set(partyId, {
      PayeeRef: partyId,
      W9Status: 'COMPLETED',
      TINMatching: null,
      FormData: {
        Line1Nm: 'Ann Payee',
        TINType: 'EIN',
        TIN: tin,
        FederalTaxClassification: 'Individual/sole proprietor',
      },
    });
    const w9 = (at: string): object => ({
      PayeeRef: partyId,
      SubmissionId: submission,
      W9Status: 'COMPLETED',
      StatusTs: at,
      FormData: { TIN: '99-9999999' },
    });
    await tellTax(w9('0'), sandbox);
    await own.settled();
    const recorded = async (): Promise<unknown> =>
      (
        await own.admin.query<Row>(sql`
          select count(*)::int as n from audit.event where tenant_id = ${own.tenant}::uuid and type = 'accounting.w9.recorded'`)
      )[0]?.['n'];
    assert.equal(await recorded(), 0, 'what was tried out is nobody’s number');
    await tellTax(w9('1'));
    await tellTax(w9('2'));
    await own.settled();
    const kept = await world.call(`${world.server.addresses.accounting}/api/parties/${partyId}/w9`, {
      token: await world.token({ user: `bank${counter}@example.com` }),
      tenant: own.tenant,
    });
    assert.deepEqual(
      [kept.body['status'], kept.body['tinLast4'], kept.body['classification'], kept.body['legalName']].map(String),
      ['received', '6789', 'individual', 'Ann Payee'],
    );
    assert.equal(await recorded(), 1);
    const [shown] = await own.admin.query<Row>(sql`
      select count(*) as n from (
        select event::text as row from audit.event union all select data::text from bus.outbox
        union all select convert_from(body, 'UTF8') from callbacks.delivery where body is not null) t
      where row like '%3456789%' or row like '%99-9999999%' or row like '%999999999%'`);
    assert.equal(shown?.['n'], 0n, 'no number is kept in clear');
  });
});
