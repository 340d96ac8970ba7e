import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type AgentCard, type Message, type Part, Role } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { holdCardToPublished, holdTurnToPublished } from '../fixtures/published.ts';
import { type Brand, createWorld, usual, type World } from '../fixtures/world.ts';
import type { Told } from '../fixtures/told.ts';

type Data = Readonly<Record<string, unknown>>;

const payment = {
  id: 'i',
  handler_id: 'mock_payment_handler',
  type: 'card',
  credential: { type: 'token', token: 'success_token' },
  billing_address: { street_address: 'Weg 1', address_locality: 'Berlin', address_country: 'DE' },
};

describe('a conversation of agents', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const profiled: typeof fetch = async (url, init = {}) =>
    fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'ucp-agent': `profile="${usual}"` },
    });

  /** By the official client, which reads the card first. @param old in the revision that the binding is written for */
  const meet = async (old: boolean): Promise<Client> => {
    const legacyCompat = { enabled: old };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: profiled, legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: old ? withoutNewer : profiled, legacyCompat }),
    });
    return factory.createFromUrl(`${world.origin}/commerce/ucp/${brand.brandId}/`, '.well-known/agent-card.json');
  };
  const withoutNewer: typeof fetch = async (url) => {
    const { supportedInterfaces, ...card } = (await (await profiled(url)).json()) as Record<string, unknown>;
    assert.ok(supportedInterfaces !== undefined);
    return Response.json(card);
  };

  const say = async (
    client: Client,
    contextId: string,
    ...data: Data[]
  ): Promise<{ contextId: string; data: Told }> => {
    const parts = data.map((one): Part => ({
      content: { $case: 'data', value: one },
      metadata: {},
      filename: '',
      mediaType: '',
    }));
    const message: Message = {
      messageId: randomUUID(),
      contextId,
      taskId: '',
      role: Role.ROLE_USER,
      parts,
      metadata: {},
      extensions: [],
      referenceTaskIds: [],
    };
    const answer = (await client.sendMessage({
      tenant: '',
      message,
      configuration: undefined,
      metadata: {},
    })) as Message;
    const content = answer.parts[0]?.content;
    const [shown] = content?.$case === 'data' ? Object.values(content.value as object) : [];
    return { contextId: answer.contextId, data: shown as Told };
  };

  for (const old of [true, false])
    test(`buys, item by item, as REST then shows it: by the official client of A2A ${old ? '0.3' : '1.0'}`, async () => {
      const cup = await brand.goods.variant({ ships: false });
      const bowl = await brand.goods.variant({ ships: false });
      const client = await meet(old);
      const begun = await say(client, 'whatever I call it', {
        action: 'add_to_checkout',
        product_id: cup,
        quantity: 2,
      });
      const { contextId } = begun;
      assert.equal(begun.data.id, contextId, 'the context is the checkout from now on');
      await say(client, contextId, { action: 'add_to_checkout', product_id: bowl });
      const more = await say(client, contextId, { action: 'add_to_checkout', product_id: cup });
      const linesOf = ({ data }: { data: Told }) =>
        data.line_items.map(({ item, quantity }) => [item.id, quantity] as const).toSorted();
      assert.deepEqual(linesOf(more), [[cup, 3] as const, [bowl, 1] as const].toSorted());
      const buyer = { email: 'ann@example.com', first_name: 'Ann' };
      const line_items = more.data.line_items.map(({ item, quantity }) => ({ item: { id: item.id }, quantity }));
      await say(client, contextId, { action: 'update_checkout', checkout: { line_items, buyer } });
      const less = await say(client, contextId, { action: 'remove_from_checkout', product_id: bowl });
      assert.deepEqual(linesOf(less), [[cup, 3]]);
      assert.equal(less.data.status, 'ready_for_complete', 'what is known of the buyer is kept');
      const done = await say(
        client,
        contextId,
        { action: 'complete_checkout' },
        { 'a2a.ucp.checkout.payment': payment, 'a2a.ucp.checkout.signals': { 'dev.ucp.buyer_ip': '203.0.113.42' } },
      );
      assert.equal(done.data.status, 'completed', JSON.stringify(done.data));
      const order = await say(client, contextId, { action: 'get_order', id: done.data.order.id });
      assert.deepEqual(order.data, (await brand.send('GET', `/orders/${done.data.order.id}`)).body);
      const next = await say(client, contextId, { action: 'add_to_checkout', product_id: cup });
      assert.notEqual(next.contextId, contextId, 'what is bought begins another checkout');
      assert.deepEqual(linesOf(next), [[cup, 1]]);
    });

  const at = () => `${world.origin}/commerce/ucp/${brand.brandId}`;
  const post = async (body: unknown) => {
    const answer = await profiled(`${at()}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const spec = process.env['UCP_SPEC'] ?? '';
    if (spec !== '' && typeof body !== 'string') holdTurnToPublished(spec, body, JSON.parse(text));
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text === '' ? '{}' : text) as Reply };
  };
  interface Reply {
    readonly result?: {
      readonly contextId: string;
      readonly parts: readonly { text?: string; data?: { [key: string]: Told } }[];
    };
    readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code: string } };
  }
  const message = (
    data: Data,
    {
      messageId = randomUUID(),
      contextId = randomUUID(),
      id = 1,
    }: { messageId?: string; contextId?: string; id?: number } = {},
  ) => ({
    jsonrpc: '2.0',
    id,
    method: 'message/send',
    params: { message: { kind: 'message', role: 'user', messageId, contextId, parts: [{ kind: 'data', data }] } },
  });

  test('takes a message that comes again for the same, whatever carries it, and another under its id for a mistake', async () => {
    const cup = await brand.goods.variant({ ships: false });
    const messageId = randomUUID();
    const contextId = 'c';
    const add = { action: 'add_to_checkout', product_id: cup, quantity: 2 };
    const [first, ...others] = await Promise.all(
      [1, 2, 3].map(async (id) => post(message(add, { messageId, contextId, id }))),
    );
    const made = first?.body.result?.contextId ?? '';
    assert.deepEqual(
      others.map(({ body }) => body.result?.contextId),
      [made, made],
    );
    assert.equal(first?.headers.get('x-a2a-extensions'), 'https://ucp.dev/2026-08-25/specification/reference');
    const again = randomUUID();
    for (const id of [4, 5]) {
      const { body } = await post(message(add, { messageId: again, contextId: made, id }));
      assert.equal(body.result?.parts[0]?.data?.['a2a.ucp.checkout']?.line_items[0]?.quantity, 4);
    }
    const other = await post(message({ ...add, quantity: 9 }, { messageId: again, contextId: made }));
    assert.deepEqual(
      [other.status, other.body.error?.code, other.body.error?.data?.code],
      [200, -32000, 'idempotency_conflict'],
    );
  });

  test('has everything in a checkout that was put into it at once', async () => {
    const cups = await Promise.all(Array.from({ length: 4 }, async () => brand.goods.variant({ ships: false })));
    const begun = await post(message({ action: 'add_to_checkout', product_id: cups[0] }));
    const contextId = begun.body.result?.contextId ?? '';
    await Promise.all(
      [...cups, ...cups].map(async (product_id) => {
        const { body } = await post(message({ action: 'add_to_checkout', product_id }, { contextId }));
        assert.equal(body.result?.contextId, contextId, JSON.stringify(body));
      }),
    );
    const { body } = await post(message({ action: 'get_checkout' }, { contextId }));
    const lines = body.result?.parts[0]?.data?.['a2a.ucp.checkout']?.line_items ?? [];
    assert.deepEqual(
      new Map(lines.map(({ item, quantity }) => [item.id, quantity])),
      new Map(cups.map((id, at) => [id, at === 0 ? 3 : 2])),
    );
  });

  test('buys at what was last answered, also after a message that is refused without a total', async () => {
    const cup = await brand.goods.variant({ cents: 1000, ships: false });
    const said = async (data: Data, contextId?: string) => {
      const { body } = await post(message(data, contextId === undefined ? {} : { contextId }));
      return { body, told: body.result?.parts[0]?.data?.['a2a.ucp.checkout'] };
    };
    const checkout = { line_items: [{ item: { id: cup }, quantity: 1 }], buyer: { email: 'ann@example.com' } };
    const { told: made } = await said({ action: 'create_checkout', checkout });
    const complete = async () =>
      said({ action: 'complete_checkout', 'a2a.ucp.checkout.payment': payment }, made?.id ?? '');
    await brand.goods.reprice(cup, 6000);
    const wrong = await said({ action: 'add_to_checkout', product_id: cup, quantity: 0 }, made?.id);
    assert.ok(wrong.body.error, JSON.stringify(wrong.body));
    const { told: refused } = await complete();
    assert.deepEqual([refused?.messages[0]?.code, refused?.totals.at(-1)?.amount], ['checkout_changed', 6000]);
    assert.equal((await complete()).told?.status, 'completed');
  });

  test('answers prose with what it reads, and refuses the rest by the codes of its protocol', async () => {
    const prose = message({});
    Object.assign(prose.params.message, { parts: [{ kind: 'text', text: 'add a cup to my checkout' }] });
    assert.match(String((await post(prose)).body.result?.parts[0]?.text), /add_to_checkout.*create_checkout/);
    const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: { id: 'x' } });
    for (const [body, code] of [
      ['{', -32700],
      ['[]', -32600],
      [call('tasks/get'), -32001],
      [call('CancelTask'), -32001],
      [call('message/stream'), -32004],
      [call('tasks/pushNotificationConfig/set'), -32003],
      [call('agent/getAuthenticatedExtendedCard'), -32007],
      [call('nothing'), -32601],
      [call('constructor'), -32601],
      [call('message/send'), -32602],
      [message({ action: 'no_such_action' }), -32602],
      [message({ action: 'get_order' }), -32602],
      [message({ action: 'add_to_checkout' }), -32602],
      [message({ action: 'add_to_checkout', product_id: 'x', quantity: 0 }), -32602],
      [message({ action: 'remove_from_checkout', product_id: 'x' }), -32602],
      [message({ action: 'create_checkout', checkout: 'x' }), -32602],
      [message({ action: 'create_cart' }, { messageId: 'a b' }), -32602],
    ] as const) {
      const { body: answer } = await post(body);
      assert.equal(answer.error?.code, code, `${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
    }
    const unknown = await post(message({ action: 'add_to_checkout', product_id: 'no-such-item' }));
    const shown = unknown.body.result?.parts[0]?.data?.['a2a.ucp.checkout'];
    assert.deepEqual([shown?.ucp.status, shown?.messages[0]?.code], ['error', 'item_unavailable']);
    assert.equal((await post('{"jsonrpc":"2.0","method":"message/send"}')).status, 202);
    const nobody = await fetch(`${at()}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'ucp-agent': 'profile="https://nobody.example/p"' },
      body: JSON.stringify(message({ action: 'create_cart', cart: { line_items: [] } })),
    });
    assert.equal(((await nobody.json()) as Reply).error?.data?.code, 'unauthenticated');
  });

  test('refuses whatever nobody would send, and fails at nothing of it', async () => {
    const item = await brand.goods.variant({ ships: false });
    const line_items = [{ item: { id: item }, quantity: 1 }];
    const begun = (await post(message({ action: 'create_checkout', checkout: { line_items } }))).body;
    const contextId = String(begun.result?.contextId);
    const buyer = { email: 'ann@example.com' };
    const said = [
      { action: 'create_checkout', checkout: { line_items, buyer, context: { currency: 'EUR' } } },
      { action: 'update_checkout', checkout: { line_items, buyer, discounts: { codes: ['TEN'] } } },
      { action: 'add_to_checkout', product_id: item, quantity: 1 },
      { action: 'remove_from_checkout', product_id: item },
      {
        action: 'complete_checkout',
        checkout: { payment: { instruments: [payment] } },
        'a2a.ucp.checkout.payment': payment,
      },
      { action: 'search_catalog', catalog: { query: 'cup', filters: { price: { min: 1, max: 2 } } } },
      { action: 'lookup_catalog', catalog: { ids: [item] } },
      { action: 'get_order', id: item },
    ];
    const odd = [
      null,
      '',
      '\0',
      '__proto__',
      'x'.repeat(5_000),
      -1,
      1.5,
      1e300,
      true,
      [],
      [[]],
      {},
      { $ref: '#' },
      '\ud800',
    ];
    // The same each time.
    let seed = 1;
    const upTo = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    /** With one of its members, at any depth, another, left out, or under another name. */
    const bent = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || upTo(5) === 0) return odd[upTo(odd.length)];
      const members = Object.entries(value);
      const [name, member] = members[upTo(members.length)] ?? ['__proto__', null];
      if (Array.isArray(value)) return value.map((one, at) => (String(at) === name ? bent(one) : (one as unknown)));
      const rest = members.filter(([one]) => one !== name);
      if (upTo(6) === 0) return Object.fromEntries(rest);
      return Object.fromEntries([...rest, [upTo(8) === 0 ? '__proto__' : name, bent(member)]]);
    };
    const before = world.logged.length;
    for (let tries = 0; tries < 200; tries += 1) {
      const whole = message(said[upTo(said.length)] ?? {}, upTo(2) === 0 ? { contextId } : {});
      const sent = upTo(4) === 0 ? bent(whole) : { ...whole, params: bent(whole.params) };
      const { status, body } = await post(JSON.stringify(sent));
      assert.ok([200, 202, 400].includes(status), `${status} of ${JSON.stringify(sent)}`);
      assert.notEqual(body.error?.code, -32603, JSON.stringify(body));
    }
    assert.deepEqual(
      world.logged.slice(before).filter((line) => /"level":(?:50|60|"error"|"fatal")/.test(line)),
      [],
    );
  });

  test('says by its card whose shop it is and what it can, and the profile leads there', async () => {
    const profile = (await brand.send('GET', '/.well-known/ucp')).body as unknown as {
      ucp: { services: Record<string, { transport: string; endpoint: string }[]> };
    };
    const service = profile.ucp.services['dev.ucp.shopping']?.find(({ transport }) => transport === 'a2a');
    const answer = await fetch(service?.endpoint ?? '');
    const card = (await answer.json()) as AgentCard & { url: string };
    const spec = process.env['UCP_SPEC'] ?? '';
    if (spec !== '') holdCardToPublished(spec, card);
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=60');
    assert.deepEqual([card.name, card.url], ['Juniper & Clay', `${at()}/a2a`]);
    assert.deepEqual(
      card.capabilities?.extensions.map(({ uri }) => uri),
      ['2026-08-25', '2026-04-08'].map((version) => `https://ucp.dev/${version}/specification/reference`),
    );
    const known = await fetch(service?.endpoint ?? '', {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    assert.equal(known.status, 304);
  });
});
