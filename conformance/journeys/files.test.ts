import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { runBySpreadsheet, separators } from '@steward/testing';
import { createWorld, hireAgent, openShop, type Agent, type World } from '../world/index.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
/** What a file is asked for with, by the name of its parameter: what would leave rows out is not here. */
const asked: Readonly<Record<string, string>> = {
  asOf: '2026-03-31',
  compareAsOf: '2026-02-28',
  from: '2026-01-01',
  to: '2026-03-31',
  compareFrom: '2025-01-01',
  compareTo: '2025-12-31',
  year: '2026',
  account: '1000',
  accountId: '1000',
  closing: '0.00',
  side: 'receivable',
  currency: 'USD',
  format: 'csv',
};
/** By RFC 4180. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('files of rows and columns', () => {
  let world: World;
  let agent: Agent;
  let formId: string;
  let erased: string;
  before(async () => {
    world = await createWorld();
    agent = await hireAgent(world, 'owner@example.com', 'accounting');
    await using catalogue = await hireAgent(world, 'owner@example.com', 'commerce');
    await catalogue.call('service_create_products', {
      products: [{ title: '\uff0bBowl, "blue"; =1', variants: [{ prices: [{ amount: '9.00', currency: 'USD' }] }] }],
    });
    await using studio = await hireAgent(world, 'owner@example.com', 'studio');
    const shop = await openShop(studio, [], []);
    ({ formId } = shop);
    for (const email of ['ada@example.com', 'eve@example.com']) {
      const sent = await world.call(`${world.server.addresses.storefront}/forms/${formId}/submit`, {
        body: { data: { full_name: '\u00a0\uff0dA, "B"; =1', email, consent: true } },
        headers: { 'x-service-sdk-key': shop.key },
      });
      assert.equal(sent.status, 201);
      erased = String(sent.body['submissionId']);
    }
    const approver = await world.token({ user: 'owner@example.com', approver: true });
    const gone = await world.call(`${world.server.addresses.commerce}/api/submissions/${erased}/erasure`, {
      token: approver,
      tenant: agent.tenant,
      body: { reason: 'requested' },
    });
    assert.ok(gone.status < 300, JSON.stringify(gone.body));
    const { party } = await agent.call('service_create_party', {
      name: '\uff1dAda;\u200b=1',
      customer: true,
      supplier: true,
    });
    await agent.call('service_create_invoice', {
      party_id: party?.['id'],
      issue_date: '2026-03-02',
      lines: [{ description: '\uff20Work, "much"; =1', unit_price: '10.00', account: '4000' }],
    });
    const posted = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token: approver,
      tenant: agent.tenant,
      body: {
        query: `mutation { postJournalEntry(input: { date: "2026-03-02", currency: "USD", narration: "\uff1dCapital; =1",
          lines: [{ account: "1000", debit: "5.00" }, { account: "3000", credit: "5.00" }] }) { id } }`,
      },
    });
    assert.equal(posted.body['errors'], undefined, JSON.stringify(posted.body));
    await agent.call('service_import_bank_statement', {
      account: '1000',
      format: 'csv',
      content: 'date,amount,description\n2026-03-03,-30.01,\uff1dFee; =1\n2026-03-03,30.00,Ada\n',
    });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const read = async (path: string, parameters: Operation['parameters'] = []): Promise<string> => {
    const wish = new URLSearchParams(
      parameters.flatMap(({ name, in: place, required }) => {
        const value = asked[name];
        assert.ok(value !== undefined || place !== 'query' || !required, `${path}: say what ${name} is asked for with`);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const { origin } = new URL(world.server.addresses.accounting);
    const answer = await fetch(`${origin}${path.replace('{formId}', formId)}?${wish.toString()}`, {
      headers: { authorization: `Bearer ${agent.token}`, 'x-tenant-id': agent.tenant },
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, `${path}: ${text}`);
    return text;
  };

  test('have as many cells in each row as the heading has, all of them that the reference knows', async () => {
    const { paths } = JSON.parse(
      await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
    ) as { paths: Record<string, Record<string, Operation>> };
    const files = Object.entries(paths).flatMap(([path, { get }]) =>
      get?.responses['200']?.content?.['text/csv'] === undefined ? [] : [{ path, parameters: get.parameters }],
    );
    assert.ok(files.length > 17, `${files.length} were found`);
    let madeText = 0;
    for (const { path, parameters } of files) {
      const file = await read(path, parameters);
      const [head = [], ...rows] = rowsOf(file);
      assert.ok(head.length > 3 && new Set(head).size === head.length, `${path}: ${head.join()}`);
      assert.deepEqual(
        rows.filter((row) => row.length !== head.length),
        [],
        path,
      );
      for (const separator of separators)
        assert.deepEqual(runBySpreadsheet(file, separator), [], `${path}: a spreadsheet runs these`);
      madeText += rows.flat().filter((cell) => /^'\u00a0?[\uff1d\uff0b\uff0d\uff20].*;'/.test(cell)).length;
    }
    assert.ok(madeText > 5, `${madeText} cells would have been run`);
  });

  test('mark what was erased of submissions', async () => {
    const [head = [], ...rows] = rowsOf(await read('/commerce/api/forms/{formId}/submissions.csv'));
    const marked = rows.map((row) => [
      row[head.indexOf('submission_id')] === erased,
      row[head.indexOf('erased_at')] !== '',
    ]);
    assert.deepEqual(marked, [
      [true, true],
      [false, false],
    ]);
  });
});
