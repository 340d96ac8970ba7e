import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createLog, fail } from '@steward/kernel';
import { createGraph } from '../index.ts';
import { library } from '../sample/library.ts';
import { emptyTenant, serve } from '../sample/serve.ts';

const lines: string[] = [];
const log = createLog('error');
// Pino writes where its stream says; the test reads what would be logged instead.
log.error = ((entry: { err: Error }, message: string) =>
  void lines.push(`${message} ${entry.err.message}`)) as typeof log.error;
log.warn = log.error;

const served = await serve(
  createGraph({ modules: [library], graphiql: false, limits: { milliseconds: 50 }, log }),
  (request) => {
    if (request.headers['x-stranger'] === 'yes') throw fail('unauthenticated');
    return emptyTenant(request);
  },
);
after(async () => served[Symbol.asyncDispose]());
const code = (answer: Awaited<ReturnType<typeof served.ask>>): unknown => answer.body.errors?.[0]?.extensions['code'];

describe('errors that resolvers throw', () => {
  it('are Problems with code, status, pointers and request id in their extensions', async () => {
    const { status, body } = await served.ask('{ refused }', {}, { 'x-request-id': 'r-1' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      errors: [
        {
          message: 'The shelf is empty.',
          locations: [{ line: 1, column: 3 }],
          path: ['refused'],
          extensions: {
            code: 'out_of_stock',
            status: 409,
            errors: [{ pointer: '/book', code: 'gone', detail: 'Gone.' }],
            requestId: 'r-1',
          },
        },
      ],
      data: { refused: null },
    });
  });
  it('say nothing but internal_error when they are anything else, and are logged', async () => {
    lines.length = 0;
    const { status, text, body } = await served.ask('{ book(id: "b1") { title spine } }');
    assert.equal(status, 200);
    assert.doesNotMatch(text, /hunter2/);
    assert.deepEqual(body.data, { book: null });
    assert.equal(body.errors?.[0]?.extensions['code'], 'internal_error');
    assert.deepEqual(lines, ['graphql field failed password=hunter2']);
  });
  it('fill the log with no more than a few lines of one answer', async () => {
    lines.length = 0;
    const { body } = await served.ask('{ books(limit: 40) { cover } }');
    assert.equal(body.errors?.length, 40);
    assert.equal(lines.length, 5);
  });
  it('are a missing value where none may be missing', async () => {
    const { body } = await served.ask('{ missing }');
    assert.equal(body.data, null);
    assert.equal(body.errors?.[0]?.extensions['code'], 'internal_error');
  });
});

describe('a refused operation', () => {
  it('names each fault of the document, with its place', async () => {
    const { status, body } = await served.ask('{ nothing\n also }');
    assert.equal(status, 400);
    assert.equal(body.data, undefined);
    assert.deepEqual(
      body.errors?.map(({ locations }) => locations?.[0]?.line),
      [1, 2],
    );
    assert.ok(body.errors?.every(({ extensions }) => extensions['code'] === 'invalid_document'));
  });
  it('says how variables do not fit', async () => {
    const answer = await served.ask(
      'query ($n: Int!, $o: Order) { books(limit: $n) { id } echo(order: { book: 1 }) @skip(if: true) }',
      { n: 'x' },
    );
    assert.equal(answer.status, 400);
    const other = await served.ask('query ($n: Int!) { books(limit: $n) { id } }', { n: 2 ** 40 });
    assert.deepEqual([other.status, code(other)], [400, 'invalid_variables']);
    assert.match(other.body.errors?.[0]?.message ?? '', /\$n.*32-bit/);
  });
  it('is one whose name the document does not hold, or does not tell apart', async () => {
    const two = 'query A { genre } query B { genre }';
    const named = await served.post(JSON.stringify({ query: two, operationName: 'B' }));
    assert.deepEqual(named.body, { data: { genre: 'FICTION' } });
    for (const operationName of [undefined, '', 'C']) {
      const answer = await served.post(JSON.stringify({ query: two, operationName }));
      assert.deepEqual([answer.status, code(answer)], [400, 'unknown_operation']);
    }
  });
  it('is a subscription', async () => {
    const answer = await served.ask('subscription { genre }');
    assert.deepEqual([answer.status, code(answer)], [400, 'invalid_document']);
  });
  it('is one that takes too long: 503 with Retry-After', async () => {
    const answer = await served.ask('{ never }');
    assert.deepEqual([answer.status, code(answer)], [503, 'operation_timeout']);
    assert.equal(answer.headers.get('retry-after'), '1');
  });
  it('travels on 200 where the caller reads plain JSON', async () => {
    const answer = await served.ask('{ nothing }', {}, { accept: 'application/json' });
    assert.deepEqual([answer.status, code(answer)], [200, 'invalid_document']);
  });
});

describe('the request', () => {
  it('passes the guard before its body is read', async () => {
    const answer = await served.post('{ not json', { 'x-stranger': 'yes' });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  });
  it('names fields that are not GraphQL’s', async () => {
    const answer = await served.post(JSON.stringify({ query: '{ genre }', documentId: 'sha256:x' }));
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors?.[0]?.extensions['errors'], [
      { pointer: '/documentId', code: 'unknown_field', detail: 'There is no such field.' },
    ]);
  });
  it('by POST has nothing in its address, so that nobody believes what is there to be heeded', async () => {
    const response = await fetch(`${served.url}?operationName=B&draft=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query: '{ genre }' }),
    });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /"\?operationName".*"\?draft"/);
  });
  it('is one operation, never a batch', async () => {
    const answer = await served.post('[{"query":"{genre}"},{"query":"{genre}"}]');
    assert.deepEqual([answer.status, code(answer)], [400, 'invalid_request']);
  });
  it('changes nothing by GET: 405 that allows POST', async () => {
    const response = await fetch(`${served.url}?query=${encodeURIComponent('mutation { fails }')}`);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST');
  });
  it('changes nothing from a form of another site: only application/json is read', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/graphql',
    ]) {
      const answer = await served.post('{"query":"mutation { fails }"}', { 'content-type': type });
      assert.equal(answer.status, 415, type);
    }
  });
  it('is GET or POST', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await fetch(served.url, { method })).status, 405, method);
  });
  it('carries strict JSON in the variables of a GET', async () => {
    const variables = encodeURIComponent('{"n": 1, "n": 2}');
    const response = await fetch(
      `${served.url}?query=${encodeURIComponent('query ($n: Int) { books(limit: $n) { id } }')}&variables=${variables}`,
    );
    assert.equal(response.status, 400);
    assert.match(await response.text(), /appears twice/);
  });
  it('without a page: a browser is told what there is to accept', async () => {
    const response = await fetch(served.url, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 406);
  });
});
