import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { mintToken } from '@steward/identity/provider';
import { createLog, listen, type Addresses } from '@steward/kernel';
import type { Quotas } from '@steward/portal';
import { createTestDatabase } from '@steward/testing';
import { readConfig } from './components.ts';
import { compose } from './compose.ts';
import { migrationSources } from './migrations.ts';

type Json = Readonly<Record<string, unknown>>;

describe('what a tenant may keep', () => {
  const stack = new AsyncDisposableStack();
  const limits: { -readonly [K in keyof Quotas]: number } = {
    attachmentBytes: 1_000_000,
    callbackBytes: 1_000_000,
    submissions: 1_000,
    cartBytes: 1_000_000,
    events: 1_000,
    webhooks: 5,
    uploads: 8,
  };
  let addresses: Addresses;
  let token: string;
  let tenant: string;
  let dataDir: string;
  before(async () => {
    const db = stack.use(await createTestDatabase(migrationSources));
    dataDir = await mkdtemp(join(tmpdir(), 'steward-quotas-'));
    stack.defer(async () => rm(dataDir, { recursive: true, force: true }));
    const log = createLog('silent');
    const [listener, internal] = [await listen('127.0.0.1', 0, log), await listen('127.0.0.1', 0, log)];
    const config = readConfig({
      DATABASE_URL: db.appUrl,
      DATA_DIR: dataDir,
      AUDIT_SEAL: 'off',
      STOREFRONT_SUBMISSIONS_PER_TENANT: '20',
    });
    addresses = config.addresses(listener.port);
    const application = await compose({
      config,
      dataDir,
      addresses,
      internalUrl: `http://127.0.0.1:${internal.port}`,
      databaseUrl: db.appUrl,
      log,
      listener,
      internal,
      leaving: () => false,
      quotasOf: () => limits,
    });
    stack.defer(async () => {
      await Promise.all([listener.close(0), internal.close(0)]);
      await application[Symbol.asyncDispose]();
    });
    listener.open(application.handlePublic);
    const { issuer, ...audiences } = addresses;
    token = await mintToken({ dataDir, issuer, audiences: Object.values(audiences), user: 'alice@example.com' });
    const signup = await post(
      `${addresses.portal}/api/external-agent/signup`,
      { organizationName: 'Full' },
      'first-time',
    );
    tenant = String((signup.body['organization'] as Json)['id']);
  });
  after(async () => stack.disposeAsync());

  const post = async (
    url: string,
    body: unknown,
    key: string = crypto.randomUUID(),
  ): Promise<{ status: number; body: Json }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
    const answer = await fetch(url, {
      method: 'POST',
      headers: tenant === undefined ? headers : { ...headers, 'x-tenant-id': tenant },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const call = async (name: string, args: Json): Promise<Json> => {
    const params = { name, arguments: args };
    const { body } = await post(`${addresses.mcp}/t/${tenant}${/bank|attach|bill/.test(name) ? '/p/accounting' : ''}`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params,
    });
    return (body['result'] as Json)['structuredContent'] as Json;
  };
  const data = async (name: string, args: Json): Promise<Record<string, Json>> =>
    (await call(name, args))['data'] as Record<string, Json>;

  /** Does it again until it is refused; how often it was taken, and the refusal. */
  const until = async (work: () => Promise<{ status: number; body: Json }>): Promise<[number, Json]> => {
    for (let taken = 0; taken < 30; taken += 1) {
      const { status, body } = await work();
      if (status >= 400) return [taken, body];
    }
    throw new Error('nothing was refused');
  };

  const quotas = async (): Promise<Record<string, Json>> => {
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
    const body = (await (await fetch(`${addresses.portal}/api/billing`, { headers })).json()) as { quotas: Json[] };
    return Object.fromEntries(body.quotas.map((one) => [String(one['quota']), one]));
  };

  test('is told in submissions, and no form stops for it; the operator’s ceiling stops them, and says so', async () => {
    const { site } = await data('service_create_site', { name: 'Shop', origins: ['https://shop.example.com'] });
    const { sdk_key } = await data('service_issue_sdk_key', { site_id: site?.['id'], mode: 'live', label: 'Pages' });
    const fields = [{ name: 'message', label: 'Message', type: 'text', required: true }];
    const { form } = await data('service_create_form', { site_id: site?.['id'], name: 'Ask us', fields });
    await call('service_publish_form', { form_id: form?.['id'] });
    const submit = async (): Promise<{ status: number; body: Json }> => {
      const answer = await fetch(`${addresses.storefront}/forms/${String(form?.['id'])}/submit`, {
        method: 'POST',
        headers: { 'x-service-sdk-key': String(sdk_key?.['key']), 'content-type': 'application/json' },
        body: JSON.stringify({ data: { message: 'Hello' } }),
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    limits.submissions = 3;
    for (let n = 0; n < 5; n += 1) assert.equal((await submit()).status, 201);
    const { submissions: told } = await quotas();
    assert.ok(Number(told?.['used']) >= 5 && told?.['limit'] === 3, JSON.stringify(told));
    const [taken, refusal] = await until(submit);
    // What comes before the first count is let through, and what comes while it is counted may count twice.
    assert.ok(taken >= 9 && taken <= 16, String(taken));
    assert.deepEqual(
      [refusal['status'], refusal['code'], refusal['quota'], refusal['limit']],
      [403, 'quota_exceeded', 'submissions', 20],
    );
    assert.match(String(refusal['detail']), /limit of 20 submissions on this server/);
    limits.submissions = 1_000;
  });

  test('is limited in bytes of files, by every door, and in how many come at a time', async () => {
    const statement = (n: number): Json => ({
      account: '1000',
      format: 'csv',
      content: `date,amount,description\n2026-03-03,-30.01,Fee ${n}\n`,
    });
    await call('service_import_bank_statement', statement(1));
    const { lines } = (await data('service_list_bank_lines', { account: '1000' })) as unknown as { lines: Json[] };
    const attach = async (text: string): Promise<Json> =>
      call('service_attach_file', {
        target_kind: 'bank_line',
        target_id: lines[0]?.['id'],
        file_name: 'note.txt',
        media_type: 'text/plain',
        content_base64: Buffer.from(text).toString('base64'),
      });
    assert.equal((await attach('first'))['status'], 'ok');
    limits.attachmentBytes = 1_000;
    const refused = await attach('x'.repeat(1_100));
    assert.deepEqual([refused['status'], refused['error_code']], ['error', 'quota_exceeded'], JSON.stringify(refused));
    assert.equal((await attach('second'))['status'], 'ok');
    limits.uploads = 0;
    assert.equal((await attach('third'))['error_code'], 'quota_exceeded');
    assert.equal((await call('service_import_bank_statement', statement(2)))['error_code'], 'quota_exceeded');
    limits.uploads = 8;
    assert.equal((await call('service_import_bank_statement', statement(2)))['status'], 'ok');
  });

  test('is limited in bytes that providers send by accounts of its own, and what comes again counts once', async () => {
    const { issuer, ...audiences } = addresses;
    const user = 'alice@example.com';
    const decides = await mintToken({ dataDir, issuer, audiences: Object.values(audiences), user, approver: true });
    const rest = async (method: string, path: string, body: unknown): Promise<Json> => {
      const answer = await fetch(`${addresses.portal}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${decides}`, 'x-tenant-id': tenant, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Json;
    };
    const wish = { receiver: 'accounting.card_payments', provider: 'stripe', name: 'Ours', live: true };
    const { id } = await rest('POST', '/connections', wish);
    await rest('PUT', `/connections/${String(id)}/secrets`, {
      secrets: { signing: 'whsec_of_ours' },
    });
    const tell = async (event: string): Promise<Json> => {
      const body = JSON.stringify({
        id: event,
        type: 'nothing.new',
        account: 'acct_1',
        livemode: true,
        data: { object: {} },
        more: 'x'.repeat(90_000),
      });
      const at = Math.floor(Date.now() / 1_000);
      const signed = createHmac('sha256', 'whsec_of_ours').update(`${at}.${body}`).digest('hex');
      const answer = await fetch(`${addresses.accounting}/webhooks/card_payments?c=${String(id)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signed}` },
        body,
      });
      return (await answer.json()) as Json;
    };
    for (let times = 0; times < 15; times += 1) assert.deepEqual(await tell('evt_0'), { received: true });
    const answers: Json[] = [];
    for (let n = 1; n < 15; n += 1) answers.push(await tell(`evt_${n}`));
    const refused = answers.filter(({ received }) => received !== true);
    assert.ok(refused.length >= 5 && refused.length < answers.length, JSON.stringify(answers));
    for (const { code, quota } of refused) assert.deepEqual([code, quota], ['quota_exceeded', 'callbackBytes']);
  });

  test('is limited in events that outside producers send; what is done in the product is recorded all the same', async () => {
    const send = async () =>
      post(`${addresses.accounting}/api/audit/events`, {
        type: 'commerce.order.imported',
        event_version: '1.0.0',
        grammar: 'commerce',
        source: 'test',
        payload: { order_id: 'o-1' },
        principal_chain: [{ principal_type: 'service', principal_id: 'shop' }],
        occurred_at: '2026-01-01T00:00:00Z',
      });
    assert.equal((await send()).status, 201);
    limits.events = 1;
    const [, refusal] = await until(send);
    assert.deepEqual([refusal['code'], refusal['quota']], ['quota_exceeded', 'events']);
    assert.equal((await call('service_create_party', { name: 'Bob' }))['status'], 'ok');
  });

  test('of webhooks holds for many that are asked for at once', async () => {
    const { issuer, ...audiences } = addresses;
    const decides = await mintToken({
      dataDir,
      issuer,
      audiences: Object.values(audiences),
      user: 'alice@example.com',
      approver: true,
    });
    const made = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const answer = await fetch(`${addresses.portal}/api/webhooks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${decides}`, 'x-tenant-id': tenant, 'content-type': 'application/json' },
          body: JSON.stringify({ url: `https://hooks.example.com/${n}`, types: null }),
        });
        return `${answer.status} ${String(((await answer.json()) as Json)['code'] ?? 'made')}`;
      }),
    );
    const counted = Map.groupBy(made, (one) => one);
    assert.deepEqual(
      [counted.get('201 made')?.length, counted.get('403 quota_exceeded')?.length],
      [limits.webhooks, 40 - limits.webhooks],
      [...counted.keys()].join(),
    );
  });
});
