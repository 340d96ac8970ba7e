import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roles } from '@steward/access';
import { openPool, sql } from '@steward/sql';
import { createWorld, hireAgent, openShop, purchase, type Json, type World } from '../world/index.ts';

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly within: string | null;
  readonly rank: string;
}

/** A kind of record: what of an example of it is typed, and how records of it are listed. */
interface Kind {
  readonly list: (token: string) => Promise<boolean>;
  readonly example: () => Promise<readonly [id: string, typed: readonly string[]]>;
}

describe('one search over all records', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp('alice@example.com'));
    owner = await world.token({ user: 'alice@example.com', approver: true });
    await fill();
  });
  after(async () => world[Symbol.asyncDispose]());

  const search = async (query: string, token = owner, within = tenant) => {
    const path = `/api/search?${new URLSearchParams({ query }).toString()}`;
    const { status, body } = await world.call(world.server.addresses.portal + path, { token, tenant: within });
    return { status, body, found: (body['items'] ?? []) as unknown as readonly Found[] };
  };
  const rest = (place: 'portal' | 'commerce' | 'studio', path: string) => async (token: string) =>
    world.call(`${world.server.addresses[place]}/api/${path}`, { token, tenant });
  const graph = (query: string) => async (token: string) =>
    world.call(`${world.server.addresses.accounting}/graphql`, { token, tenant, body: { query } });
  /** One of each, with what strangers write in their names. */
  const fill = async (): Promise<void> => {
    const done = async (query: string, variables: object): Promise<Json> => {
      const answer = await world.call(`${world.server.addresses.accounting}/graphql`, {
        token: owner,
        tenant,
        body: { query, variables },
      });
      assert.equal(answer.body['errors'], undefined, JSON.stringify(answer.body));
      return answer.body['data'] ?? {};
    };
    const { party } = await done('mutation ($input: PartyInput!) { party: createParty(input: $input) { id } }', {
      input: { name: 'Fjord <b>Ltd</b>', email: 'books@fjord.example', customer: true },
    });
    const { draft } = await done(
      'mutation ($input: DocumentInput!) { draft: createDocument(kind: invoice, input: $input) { id } }',
      {
        input: {
          partyId: party?.['id'],
          issueDate: '2026-03-02',
          lines: [{ account: '4000', description: 'Work', unitPrice: '119.00' }],
        },
      },
    );
    await done('mutation ($id: ID!) { issueDocument(id: $id) { id } }', { id: draft?.['id'] });
    await done('mutation ($input: PaymentInput!) { recordPayment(input: $input) { id } }', {
      input: {
        partyId: party?.['id'],
        direction: 'received',
        account: '1000',
        date: '2026-03-03',
        currency: 'USD',
        amount: '119.00',
      },
    });
    await done(
      'mutation ($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
      { content: 'Date,Amount,Description\n2026-03-03,-1234.50,Rent of the mill\n' },
    );
    const granted = await world.call(`${world.server.addresses.portal}/api/agent-grants`, {
      token: owner,
      tenant,
      body: { agentId: 'assistant-1' },
    });
    assert.equal(granted.status, 201);
    await using agent = await hireAgent(world, 'alice@example.com');
    const shop = await openShop(agent, ['http://localhost'], []);
    const act = async (pillar: string, tool: string, args: unknown): Promise<Json> => {
      await using one = await hireAgent(world, 'alice@example.com', pillar);
      return await one.call(tool, args as Record<string, unknown>);
    };
    const made = await act('commerce', 'service_create_products', {
      products: [{ title: 'Kettle', variants: [{ sku: 'KET-77', prices: [{ amount: '40.00', currency: 'USD' }] }] }],
    });
    assert.equal(Object.values(made['products'] ?? {}).length, 1, JSON.stringify(made));
    const brands = await world.call(`${world.server.addresses.portal}/api/brands`, { token: owner, tenant });
    const [brand] = brands.body['items'] as unknown as Json[];
    const lives = { name: 'Zofie Kvapil', country: 'DE', postcode: '10119', city: 'Berlin', line1: 'Street 1' };
    await purchase(
      world,
      act,
      { key: shop.key, brandId: String(brand?.['id']), currency: 'USD' },
      { email: 'zofie@example.com', name: 'Zofie Kvapil', shippingAddress: lives },
    );
  };
  const kindOf = (
    ask: (token: string) => Promise<{ readonly status: number; readonly body: Json }>,
    typed: (one: Json) => readonly unknown[],
    idOf = (one: Json): unknown => one['id'],
  ): Kind => ({
    list: async (token) => {
      const { status, body } = await ask(token);
      return status === 200 && body['errors'] === undefined;
    },
    example: async () => {
      const { body } = await ask(owner);
      const [one] = (body['items'] ?? body['data']?.['list']?.['items'] ?? []) as unknown as readonly Json[];
      assert.ok(one !== undefined, JSON.stringify(body));
      return [String(idOf(one)), typed(one).map(String)];
    },
  });
  const books = (list: string, members: string, typed: (one: Json) => readonly unknown[]): Kind =>
    kindOf(graph(`{ list: ${list} { items { id ${members} } } }`), typed);

  const kinds: Readonly<Record<string, Kind>> = {
    document: books('documents(kind: invoice, status: issued, limit: 1)', 'number', ({ number }) => [
      number,
      String(number).toLowerCase().replace('-0000', ' '),
    ]),
    payment: books('payments(limit: 1)', 'number', ({ number }) => [number]),
    party: books('parties(limit: 1)', 'name', ({ name }) => [name, String(name).slice(0, 4), String(name).slice(2)]),
    account: books('accounts(limit: 1)', 'code name', ({ code, name }) => [code, name]),
    journal_entry: books('journalEntries(limit: 1)', 'number', ({ number }) => [number]),
    bank_line: books('bankLines(account: "1000", limit: 1)', 'description amount { amount }', (one) => [
      String(one['amount']?.['amount']).replace('-', ''),
      String(one['amount']?.['amount']).replace('.', ','),
      one['description'],
    ]),
    contact: kindOf(rest('commerce', 'contacts?limit=1'), ({ email, name }) => [email, name, String(name).slice(0, 3)]),
    order: kindOf(rest('commerce', 'orders?limit=1'), ({ number, email, name }) => [
      number,
      `#${String(number)}`,
      email,
      name,
    ]),
    product: kindOf(rest('commerce', 'products?limit=1&query=kettle'), ({ title }) => [title, 'kettl', 'KET-77']),
    form: kindOf(rest('studio', 'forms?limit=1'), ({ name }) => [name]),
    agent: kindOf(
      rest('portal', 'agent-grants?limit=1'),
      ({ agentId }) => [agentId],
      ({ agentId }) => agentId,
    ),
    member: kindOf(
      rest('portal', 'members?limit=1'),
      ({ email }) => [email],
      ({ principalId }) => principalId,
    ),
  };

  test('finds a record of each kind by what people know of it', async () => {
    for (const [kind, { example }] of Object.entries(kinds)) {
      const [id, typed] = await example();
      for (const one of typed) {
        const { found } = await search(one);
        const hit = found.find((each) => each.kind === kind && each.id === id);
        assert.ok(hit !== undefined, `${kind} by ${one}: ${JSON.stringify(found)}`);
      }
    }
    const { found } = await search('inv-00001');
    assert.equal(found[0]?.rank, 'exact');
  });

  test('each caller finds exactly the kinds that they may list', async () => {
    const portal = `${world.server.addresses.portal}/api`;
    const join = async (role: string): Promise<string> => {
      const email = `${role}@example.com`;
      const invited = await world.call(`${portal}/invitations`, { token: owner, tenant, body: { email, role } });
      const token = await world.token({ user: email });
      await world.call(`${portal}/invitations/accept`, { token, body: { secret: invited.body['secret'] } });
      return token;
    };
    const grants: Readonly<Record<string, object>> = {
      books: { pillars: ['accounting'] },
      people: { pillars: ['crm'] },
      shop: { pillars: ['commerce'] },
      pages: { pillars: ['studio'], tiers: ['read'] },
      orders: { tools: ['service_list_orders'] },
      whole: {},
    };
    const callers: [string, string][] = [['owner', owner]];
    for (const role of roles) if (role !== 'owner') callers.push([role, await join(role)]);
    for (const [agentId, grant] of Object.entries(grants)) {
      const made = await world.call(`${portal}/agent-grants`, { token: owner, tenant, body: { agentId, ...grant } });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      callers.push([`agent of ${agentId}`, await world.token({ user: 'alice@example.com', agent: agentId })]);
    }
    for (const scope of ['mcp:read mcp:crm', 'mcp:write', 'mcp:read'])
      callers.push([scope, await world.token({ user: 'alice@example.com', scope })]);
    const seen = new Set<boolean>();
    for (const [kind, { list, example }] of Object.entries(kinds)) {
      const [id, [typed = '']] = await example();
      await Promise.all(
        callers.map(async ([who, token]) => {
          const [may, { found }] = await Promise.all([list(token), search(typed, token)]);
          const finds = found.some((one) => one.kind === kind && one.id === id);
          assert.equal(finds, may, `${who}: ${kind} by ${typed}`);
          seen.add(may);
        }),
      );
    }
    assert.equal(seen.size, 2);
  });

  test('an agent that was shut out, a stranger and another organization find nothing', async () => {
    const token = await world.token({ user: 'alice@example.com', agent: 'gone' });
    const grants = `${world.server.addresses.portal}/api/agent-grants`;
    await world.call(grants, { token: owner, tenant, body: { agentId: 'gone' } });
    assert.equal((await search('1001', token)).status, 200);
    await world.call(`${grants}/gone`, { token: owner, tenant, method: 'DELETE' });
    assert.equal((await search('1001', token)).status, 403);
    const other = await world.signUp('mallory@example.com');
    assert.equal((await search('1001', other.token)).status, 403);
    for (const { example } of Object.values(kinds)) {
      const [id, typed] = await example();
      for (const one of typed) {
        const { status, found } = await search(one, other.token, other.tenant);
        assert.equal(status, 200);
        assert.equal(
          found.find((each) => each.id === id),
          undefined,
        );
      }
    }
  });

  test('whatever is typed is answered: hostile texts, what is no number, and what is too long is refused', async () => {
    const typed = [
      `<img src=x onerror=1>`,
      `'); drop table orders.sales_order; --`,
      '%_\\',
      'safe\u202Eevil',
      'al\u200Bice@exam\u2060ple.com',
      '\u200B',
      '９９９９９９９９９９９９９９９９９９９９',
      '0',
      '00000000000000000000',
      '-',
      '1.234.567,89',
      '999999999999.99',
      '\u{10FFFF}',
      '山田',
      'a b c d e f g h i j k l m n o p q r s t u v w x y z',
      'é'.repeat(200),
    ];
    for (const one of typed) assert.equal((await search(one)).status, 200, JSON.stringify(one));
    for (const one of ['x'.repeat(201), 'a\0b', '', '   '])
      assert.equal((await search(one)).status, 400, JSON.stringify(one));
    const { found } = await search('al\u200Bice@exam\u2060ple.com');
    assert.ok(
      found.some(({ kind }) => kind === 'member'),
      'what cannot be seen is not looked for',
    );
  });

  test('reads a bounded part of what there is, in one round trip, and of each kind answers five', async () => {
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(sql`
      insert into accounting.party (tenant_id, party_id, name, customer, supplier, currency, terms_days)
      select ${tenant}::uuid, gen_random_uuid(), 'Meadow ' || n || ' <b>' || repeat('x', 100), true, false, 'USD', 0 from generate_series(1, 5000) n`);
    const { found } = await search('meadow');
    assert.equal(found.filter(({ kind }) => kind === 'party').length, 5);
  });
});
