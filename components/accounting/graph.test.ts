import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createGraph } from '@steward/graphql';
import { createLog, createRouter, listen, type Listener } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { attach } from './attachments/attach.ts';
import { attachmentGraph } from './attachments/graph.ts';
import { bankGraph } from './bank/graph.ts';
import { partyGraph } from './parties/graph.ts';
import { documentGraph } from './documents/graph.ts';
import { issued, newParty, paid } from './fixtures/documents.ts';
import { issuing } from './fixtures/documents.ts';
import { createWorld, type World } from './fixtures/world.ts';
import { journalGraph } from './journal/graph.ts';
import { openingGraph } from './opening/graph.ts';
import { paymentGraph } from './payments/graph.ts';
import { rateGraph } from './rates/graph.ts';
import { ruleGraph } from './bank/rule-graph.ts';
import { w9Graph } from './taxforms/graph.ts';
import { recordW9 } from './taxforms/record-w9.ts';

interface Json {
  readonly [key: string]: Json;
}

describe('the books in GraphQL', () => {
  let world: World;
  let books: TenantContext;
  let listener: Listener;
  let close: () => Promise<void>;
  let reads = 0;
  const secret = new Uint8Array(32).fill(3);
  const asked: string[] = [];

  /** The same context; what goes to the database through it is counted. */
  const counting = (context: TenantContext): TenantContext =>
    new Proxy(context, {
      get: (target, name) => {
        if (name !== 'require') return Reflect.get(target, name, target) as unknown;
        return (...given: Parameters<TenantContext['require']>) => {
          reads += 1;
          return target.require(...given);
        };
      },
    });

  before(async () => {
    world = await createWorld();
    books = await world.tenant({ currency: 'USD' });
    const log = createLog('silent');
    const graph = createGraph({
      modules: [
        partyGraph({ hold: async (_tx, id) => id, byId: async () => new Map(), byEmail: async () => undefined }),
        documentGraph(issuing),
        paymentGraph,
        journalGraph,
        attachmentGraph,
        w9Graph(secret),
        rateGraph,
        ruleGraph,
        bankGraph,
        openingGraph,
      ],
      admit: (effect, field) => () => {
        if (field.startsWith('Mutation.')) asked.push(String(effect));
      },
      graphiql: false,
      log,
    });
    listener = await listen('127.0.0.1', 0, log);
    const router = await createRouter({
      server: listener.server,
      log,
      observe: () => undefined,
      doors: [],
      mounts: [
        {
          base: `http://127.0.0.1:${listener.port}`,
          register: (scope) => graph.mount(scope, { path: '/graphql', admit: () => counting(books) }),
        },
      ],
    });
    listener.open(router.handle);
    close = async () => router.close();
  });
  after(async () => {
    await listener.close(0);
    await close();
    await world[Symbol.asyncDispose]();
  });

  const ask = async (query: string, variables: object = {}): Promise<Json> => {
    const answer = await fetch(`http://127.0.0.1:${listener.port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await answer.json()) as Json;
  };
  const ok = async (query: string, variables: object = {}): Promise<Json> => {
    const answer = await ask(query, variables);
    assert.equal(answer['errors'], undefined, JSON.stringify(answer['errors']));
    return answer['data'] as Json;
  };

  test('lists read what belongs to their items at once, however many there are', async () => {
    for (let n = 0; n < 12; n += 1) {
      const party = await newParty(books, { name: `Party ${n}` });
      await recordW9(books, { partyId: party, status: 'requested' }, { secret });
      const { id } = await issued(books, party, '10.00', { currency: 'USD' });
      const { id: payment, entryId } = await paid(books, party, '10.00', { [id]: '10.00' }, { currency: 'USD' });
      for (const [targetKind, targetId] of [
        ['document', id],
        ['payment', payment],
        ['entry', entryId],
      ] as const)
        await attach(books, {
          targetKind,
          targetId,
          fileName: 'proof.txt',
          mediaType: 'text/plain',
          content: Buffer.from(`${n} ${targetKind}`),
        });
    }
    const query = `query ($limit: Int!) {
      documents(limit: $limit) { items { id party { name w9 { status tinLast4 } } attachments { fileName sha256 } } }
      payments(limit: $limit) { items { id method party { name } attachments { sha256 } } }
      journalEntries(limit: $limit) { items { id attachments { sha256 } lines { code } } }
    }`;
    const counted = async (limit: number): Promise<[number, Json]> => {
      reads = 0;
      const data = await ok(query, { limit });
      return [reads, data];
    };
    const [few] = await counted(1);
    const [many, data] = await counted(12);
    assert.ok(few > 3);
    // Payments and documents of one party may go in different queries, never one for each item.
    assert.ok(many <= few + 1, `${many} reads for twelve of each, ${few} for one`);
    const documents = data['documents']?.['items'] as unknown as Json[];
    assert.equal(documents.length, 12);
    for (const one of documents) {
      assert.equal(String(one['party']?.['w9']?.['status']), 'requested');
      assert.equal((one['attachments'] as unknown as Json[]).length, 1);
    }
    const digests = documents.map((one) => String((one['attachments'] as unknown as Json[])[0]?.['sha256']));
    assert.equal(new Set(digests).size, 12, 'each its own');
  });

  test('files, W-9, rates, rules and opening are done through it too, each under the name of its tool', async () => {
    const party = await newParty(books, { name: 'Steel' });
    const { id: target } = await issued(books, party, '20.00', { currency: 'USD' });
    asked.length = 0;
    const file = `mutation ($id: ID!, $content: String!) {
      attachFile(targetKind: document, targetId: $id, fileName: "a.txt", mediaType: "text/plain", contentBase64: $content) { id bytes sha256 } }`;
    const made = await ok(file, { id: target, content: Buffer.from('hello').toString('base64') });
    assert.equal(
      String(made['attachFile']?.['sha256']),
      '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    );
    assert.match(JSON.stringify(await ask(file, { id: target, content: 'no base64!' })), /invalid_request/);
    await ok(`mutation ($id: ID!) { removeAttachment(id: $id) }`, { id: made['attachFile']?.['id'] });
    assert.deepEqual(
      (await ok(`query ($id: ID!) { attachments(targetId: $id) { id } }`, { id: target }))['attachments'],
      [],
    );
    await ok(`mutation ($id: ID!) { setW9Status(partyId: $id, status: received, box: misc_1) { status box } }`, {
      id: party,
    });
    const w9 = await ok(
      `query ($id: ID!) { w9(partyId: $id) { status box tinLast4 } party(id: $id) { w9 { status } } }`,
      {
        id: party,
      },
    );
    assert.deepEqual(w9['w9'], { status: 'received', box: 'misc_1', tinLast4: null });
    await ok(`mutation { setExchangeRate(currency: "EUR", day: "2026-01-01", rate: "1.1") { rate } }`);
    const rates = await ok(`{ exchangeRates(currency: "EUR") { items { day rate } nextCursor } }`);
    assert.deepEqual(rates['exchangeRates'], { items: [{ day: '2026-01-01', rate: '1.1' }], nextCursor: null });
    const { addBankRule } = await ok(`mutation { addBankRule(contains: "fee", account: "6900") }`);
    assert.equal(
      (await ok(`{ bankRules { accountCode direction } }`))['bankRules']?.[0 as never]?.['direction'],
      'any',
    );
    await ok(`mutation ($id: ID!) { archiveBankRule(id: $id) }`, { id: addBankRule });
    await ok(`mutation { importChartOfAccounts(content: "code,name,type\\n7000,Extra,expense\\n") { added } }`);
    const opened = await ok(
      `mutation { importOpeningBalances(date: "2025-12-31", content: "account,debit,credit\\n1500,10.00,\\n3000,,10.00\\n") { kind } }`,
    );
    assert.equal(String(opened['importOpeningBalances']?.[0 as never]?.['kind']), 'opening');
    const matching = `mutation { matchBankLine(lineId: "0190a0a0-0000-7000-8000-00000000000a") { id } }`;
    assert.match(JSON.stringify(await ask(matching)), /invalid_request/);
    assert.deepEqual(asked, [
      'service_attach_file',
      'service_attach_file',
      'service_attach_file',
      'service_set_w9_status',
      'service_set_exchange_rate',
      'service_add_bank_rule',
      'service_archive_bank_rule',
      'service_import_chart_of_accounts',
      'service_import_opening_balances',
      'service_match_bank_line',
    ]);
  });
});
