import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { published } from '../fixtures/forms.ts';
import { listen, problem, startStorefront, type FixtureStorefront } from '../fixtures/storefront.ts';
import { createStorefront, type Storefront } from './client.ts';
import { StorefrontError } from './error.ts';

const failing = async (call: Promise<unknown>): Promise<StorefrontError> => {
  const error: unknown = await call.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StorefrontError, String(error));
  return error;
};

describe('the client', () => {
  let server: FixtureStorefront;
  let client: Storefront;
  before(async () => {
    server = await startStorefront();
    server.forms.set('a', published('a', [{ name: 'email', required: true }]));
    client = createStorefront({ baseUrl: `${server.baseUrl}/`, sdkKey: server.key });
  });
  beforeEach(() => {
    server.seen.length = 0;
    server.taken.length = 0;
  });
  after(async () => server[Symbol.asyncDispose]());

  it('reads a schema and sends values as they are', async () => {
    const schema = await client.schema('a');
    assert.equal(schema.activeVersion, 1);
    const data = { email: 'ada@example.com', guests: 0, agreed: false, extras: ['tea'] };
    const submission = await client.submit('a', data);
    assert.equal(submission.submissionId, 's-1');
    assert.deepEqual(server.taken, [data]);
  });

  it('tells that a visitor began to fill a form in, and rejects where there is none', async () => {
    assert.equal(await client.start('a'), undefined);
    assert.deepEqual(server.started, ['a']);
    assert.equal((await failing(client.start('b'))).status, 404);
  });

  it('keeps what a form id holds within its own segment of the address', async () => {
    assert.equal((await failing(client.schema('../../admin?x=1#y'))).status, 404);
    assert.deepEqual(server.seen, ['GET schema 404']);
  });

  it('turns a problem document into an error that names fields', async () => {
    const errors = [
      { pointer: '/data/email', code: 'invalid_value', detail: 'Give an address.' },
      { pointer: '/data/extras/0', code: 'invalid_value', detail: 'Unknown.' },
      { pointer: '/data', code: 'too_large', detail: 'Too large.' },
    ];
    server.instead.submit.push({
      status: 400,
      body: problem('invalid_contact_values', 400, { detail: 'No.', errors }),
    });
    const error = await failing(client.submit('a', {}));
    assert.equal(error.status, 400);
    assert.equal(error.code, 'invalid_contact_values');
    assert.equal(error.message, 'No.');
    assert.equal(error.requestId, 'r-1');
    assert.deepEqual(
      error.errors.map(({ field }) => field),
      ['email', 'extras', undefined],
    );
    assert.equal(error.errors[0]?.detail, 'Give an address.');
  });

  it('tells a wrong key from a missing form', async () => {
    assert.equal(
      (await failing(createStorefront({ baseUrl: server.baseUrl, sdkKey: 'pk_no' }).schema('a'))).code,
      'invalid_sdk_key',
    );
    assert.equal((await failing(client.schema('b'))).code, 'form_not_found');
  });

  it('says how many seconds a limit asks to wait, and nothing where the server says a date or nothing', async () => {
    for (const [header, seconds] of [
      ['17', 17],
      ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
      [undefined, undefined],
    ] as const) {
      const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
      server.instead.submit.push({ status: 429, headers, body: problem('rate_limited', 429) });
      const error = await failing(client.submit('a', {}));
      assert.equal(error.status, 429);
      assert.equal(error.retryAfter, seconds);
    }
  });

  it('takes no page of something between for an answer of the storefront', async () => {
    for (const instead of [
      { status: 200, body: '<html>Sign in to the hotel network</html>' },
      { status: 200, body: '{}' },
      { status: 200, body: 'null' },
      { status: 502, body: '<html>Bad gateway</html>' },
      { status: 503, body: '"busy"' },
      { status: 400, body: '{"errors": "all of it"}' },
    ]) {
      server.instead.submit.push(instead);
      const error = await failing(client.submit('a', {}));
      assert.equal(error.code, 'invalid_answer', instead.body);
      assert.equal(error.status, instead.status);
      assert.deepEqual(error.errors, []);
    }
  });

  it('says that nobody knows whether it was stored, and sends nothing again by itself', async () => {
    server.instead.submit.push({ status: 503, body: problem('outcome_unknown', 503) });
    const error = await failing(client.submit('a', {}));
    assert.deepEqual([error.status, error.code], [503, 'outcome_unknown']);
    assert.deepEqual(server.seen, ['POST submit 503']);
  });

  it('says that nobody answered, with status 0, and sends nothing again by itself', async () => {
    server.instead.submit.push({ cut: true });
    const error = await failing(client.submit('a', {}));
    assert.deepEqual([error.status, error.code], [0, 'network_error']);
    assert.ok(error.cause instanceof Error);
    assert.deepEqual(server.seen, ['POST submit cut']);

    const nobody = createServer();
    const origin = await listen(nobody);
    nobody.close();
    assert.equal((await failing(createStorefront({ baseUrl: origin, sdkKey: 'x' }).schema('a'))).code, 'network_error');
  });

  it('ends with the reason of the signal that ended it', async () => {
    const open = Promise.withResolvers<undefined>();
    server.instead.submit.push({ until: open.promise });
    const controller = new AbortController();
    const reason = new Error('left the page');
    const call = client.submit('a', {}, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
    open.resolve(undefined);
  });

  it('goes through the fetch it is given', async () => {
    const asked: string[] = [];
    const own = createStorefront({
      baseUrl: server.baseUrl,
      sdkKey: server.key,
      fetch: async (input, init) => {
        asked.push(`${init?.method} ${String(input).slice(server.baseUrl.length)} ${init?.credentials}`);
        return fetch(input, init);
      },
    });
    await own.schema('a');
    assert.deepEqual(asked, ['GET /forms/a/schema omit']);
  });
});
