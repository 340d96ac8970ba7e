import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';

describe('contacts over the whole server', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  let agent: string;
  let approver: string;
  before(async () => {
    world = await createWorld();
    ({ tenant, token: owner } = await world.signUp('owner@example.com', 'Known to many'));
    agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1' });
    approver = await world.token({ user: 'owner@example.com', approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  const rest = async (method: string, path: string, body?: unknown, token = owner, at = tenant): Promise<Answer> =>
    world.call(`${world.server.addresses.commerce}/api${path}`, {
      token,
      tenant: at,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const tool = async (name: string, args: unknown): Promise<Json> => {
    const answer = await world.call(`${world.server.addresses.mcp}/p/crm`, {
      token: agent,
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
    return answer.body['result']?.['structuredContent'] as Json;
  };
  const code = ({ status, body }: Answer): unknown[] => [status, body['code']];

  test('an agent defines a field and writes a contact, a person reads and changes it', async () => {
    const preview = await tool('service_define_contact_field', { key: 'city', type: 'text', preview: true });
    assert.equal(String(preview['status']), 'preview');
    assert.equal(Number((await rest('GET', '/contact-schema')).body['version']), 1, 'a preview changes nothing');
    assert.equal(String((await tool('service_define_contact_field', { key: 'city', type: 'text' }))['status']), 'ok');
    const added = await tool('service_upsert_contact', {
      email: 'Ada@Example.com',
      phone: '+49 (0)30 123456',
      name: 'Ada Lovelace',
      custom: { city: 'London' },
    });
    assert.equal(String(added['status']), 'ok', JSON.stringify(added));
    const id = String(added['data']?.['contact']?.['id']);
    const { data } = await tool('service_search_contacts', { query: 'lovelace' });
    const contacts = data?.['contacts'] as unknown as Json[] | undefined;
    assert.equal(String(contacts?.[0]?.['id']), id);
    const { body } = await rest('GET', `/contacts/${id}`);
    assert.deepEqual(
      [body['email'], body['phone'], body['custom']],
      ['ada@example.com', '+4930123456', { city: 'London' }],
    );
    const changed = await rest('PATCH', `/contacts/${id}`, { name: 'Ada King', expectedVersion: 1 });
    assert.deepEqual([changed.status, changed.body['changed']], [200, ['name']]);
    assert.deepEqual(code(await rest('PATCH', `/contacts/${id}`, { name: 'x', expectedVersion: 1 })), [
      409,
      'stale_contact',
    ]);
    const stale = await tool('service_upsert_contact', { contact_id: id, name: 'x', expected_version: 1 });
    assert.deepEqual([stale['status'], stale['error_code']], ['error', 'stale_contact']);
    const again = await rest('POST', '/contacts', { phone: '0049 30 123456', defaultCountry: 'DE' });
    assert.deepEqual([again.status, again.body['created']], [200, false]);
  });

  test('lists page, and search by GET and by POST', async () => {
    for (const index of [1, 2, 3])
      assert.equal(
        (await rest('POST', '/contacts', { email: `p${index}@pages.test`, custom: { city: 'Rome' } })).status,
        201,
      );
    const first = await rest('GET', '/contacts?field=city&value=ROME&limit=2');
    const rest_ = await rest(
      'GET',
      `/contacts?field=city&value=ROME&limit=2&cursor=${String(first.body['nextCursor'])}`,
    );
    const emails = [first, rest_].flatMap(({ body }) => (body['items'] as unknown as Json[]).map(({ email }) => email));
    assert.deepEqual(emails, ['p3@pages.test', 'p2@pages.test', 'p1@pages.test']);
    const posted = await rest('POST', '/contacts/search', { email: '@pages.test', custom: { city: 'rome' } });
    assert.equal((posted.body['items'] as unknown as Json[]).length, 3);
  });

  test('what is wrong with one of many is told by the names that its caller gave', async () => {
    const { data } = await tool('service_upsert_contacts', {
      contacts: [{ email: 'grace@example.com' }, { phone: '030 123456', default_country: 'ZZ' }],
    });
    const [, refused] = (data?.['contacts'] ?? []) as unknown as Json[];
    const [fault] = (refused?.['problem']?.['errors'] ?? []) as unknown as Json[];
    assert.equal(String(fault?.['pointer']), '/contacts/1/default_country', JSON.stringify(refused));
    assert.doesNotMatch(JSON.stringify(refused), /defaultCountry/);
  });

  test('many are brought along in one call, each with its own answer', async () => {
    const { status, body } = await rest('POST', '/contacts/batch', {
      contacts: [{ email: 'one@batch.test' }, { email: 'none', custom: { unheard: 1 } }, { email: 'ONE@batch.test' }],
    });
    assert.deepEqual([status, body['counts']], [200, { created: 1, changed: 0, unchanged: 1, refused: 1 }]);
    const items = body['items'] as unknown as { problem?: { code: string; errors: { pointer: string }[] } }[];
    assert.deepEqual(items[1]?.problem?.errors.map(({ pointer }) => pointer).toSorted(), [
      '/contacts/1/custom/unheard',
      '/contacts/1/email',
    ]);
    const asked = await tool('service_upsert_contacts', {
      contacts: [{ name: 'Two' }, { phone: '12' }],
      preview: true,
    });
    assert.deepEqual(asked['data']?.['counts'] ?? asked['preview']?.['counts'], {
      created: 1,
      changed: 0,
      unchanged: 0,
      refused: 1,
    });
    assert.deepEqual((await rest('GET', '/contacts?name=Two')).body['items'], [], 'a preview changes nothing');
  });

  test('what is wrong is said by pointer, with a status that is the caller’s', async () => {
    const id = String((await rest('POST', '/contacts', { email: 'a@wrong.test' })).body['contact']?.['id']);
    for (const [method, path, body, status, pointers] of [
      ['POST', '/contacts', { email: 'nobody', custom: { unheard: 1 } }, 400, ['/custom/unheard', '/email']],
      ['POST', '/contacts', { email: 'a\u0000@b.test' }, 400, ['/email']],
      ['POST', '/contacts', { name: 'a\ud83d' }, 400, undefined],
      ['POST', '/contacts', { contactId: id }, 400, ['/contactId']],
      ['POST', '/contacts', {}, 400, undefined],
      ['POST', '/contacts', { custom: { __proto__: 1 }, name: 7 }, 400, ['/name']],
      ['PATCH', `/contacts/${id}`, { email: null }, 400, undefined],
      ['GET', '/contacts?phone=12', undefined, 400, ['?phone']],
      ['GET', '/contacts?field=unheard&value=1', undefined, 400, ['?field']],
      ['GET', '/contacts?field=city', undefined, 400, ['?value']],
      ['GET', '/contacts?limit=201', undefined, 400, ['?limit']],
      ['GET', '/contacts?cursor=x', undefined, 400, ['?cursor']],
      ['GET', '/contacts/not-an-id', undefined, 400, undefined],
      ['GET', '/contacts/0190a0a0-0000-7000-8000-00000000000a', undefined, 404, undefined],
      ['GET', '/contact-schema/versions/99', undefined, 404, undefined],
      ['PUT', '/contact-schema/fields/contactId', { type: 'text' }, 400, ['{key}']],
      ['PUT', '/contact-schema/fields/city', { type: 'number' }, 409, undefined],
      ['PATCH', '/contact-schema', { defaultCountry: 'xx' }, 400, ['/defaultCountry']],
    ] as const) {
      const answer = await rest(method, path, body);
      assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      const errors = answer.body['errors'] as unknown as Json[] | undefined;
      if (pointers !== undefined)
        assert.deepEqual(errors?.map(({ pointer }) => String(pointer)).toSorted(), [...pointers]);
    }
  });

  test('another tenant sees nothing of it', async () => {
    const { items } = (await rest('GET', '/contacts?limit=1')).body as { items: unknown };
    const id = String((items as Json[])[0]?.['id']);
    const other = await world.signUp('other@example.com', 'Others');
    const theirs = async (method: string, path: string, body?: unknown): Promise<Answer> =>
      rest(method, path, body, other.token, other.tenant);
    assert.deepEqual((await theirs('GET', '/contacts')).body['items'], []);
    for (const [method, path, body] of [
      ['GET', `/contacts/${id}`],
      ['PATCH', `/contacts/${id}`, { name: 'x' }],
      ['GET', `/contacts/${id}/timeline`],
    ] as const)
      assert.deepEqual(code(await theirs(method, path, body)), [404, 'not_found']);
    assert.deepEqual(code(await rest('GET', '/contacts', undefined, other.token)), [403, 'tenant_forbidden']);
  });

  test('merging awaits a person, is bound to what was shown, and cannot be done by an agent in any other way', async () => {
    const make = async (email: string): Promise<string> =>
      String((await rest('POST', '/contacts', { email })).body['contact']?.['id']);
    const [keep, twin] = [await make('keep@merge.test'), await make('twin@merge.test')];
    const path = `/contacts/${keep}/merge`;
    assert.deepEqual(code(await rest('POST', path, { duplicateId: twin }, agent)), [403, 'approval_required']);
    assert.deepEqual(code(await rest('POST', path, { duplicateId: twin })), [403, 'client_not_approver']);

    const decide = async (asked: Json): Promise<Answer> => {
      const actions = `${world.server.addresses.portal}/api/pending-actions/${String(asked['pending_action_id'])}`;
      const shown = await world.call(actions, { token: approver, tenant });
      return world.call(`${actions}/approve`, {
        token: approver,
        tenant,
        body: { previewHash: shown.body['previewHash'] },
      });
    };
    const ask = async (): Promise<Json> => {
      const asked = await tool('service_merge_contacts', { contact_id: keep, duplicate_id: twin });
      assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
      return asked;
    };
    const stale = await ask();
    await rest('PATCH', `/contacts/${twin}`, { name: 'Changed meanwhile' });
    const refused = await decide(stale);
    assert.equal(
      refused.body['code'] ?? refused.body['failure']?.['code'],
      'stale_preview',
      JSON.stringify(refused.body),
    );
    assert.equal(String((await rest('GET', `/contacts/${twin}`)).body['id']), twin);

    const done = await decide(await ask());
    assert.equal(String(done.body['state']), 'executed', JSON.stringify(done.body));
    const { body } = await rest('GET', `/contacts/${twin}`);
    assert.deepEqual([body['id'], body['otherEmails']], [keep, ['twin@merge.test']]);

    const third = await make('third@merge.test');
    const atOnce = await rest('POST', path, { duplicateId: third }, approver);
    assert.equal(atOnce.status, 200, JSON.stringify(atOnce.body));
    assert.deepEqual(atOnce.body['contact']?.['otherEmails'], ['third@merge.test', 'twin@merge.test']);
  });

  test('a contact and a customer of one person are linked by whoever knows, shown as one, and erased together', async () => {
    const graph = async (query: string, variables: Json): Promise<Json> => {
      const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
        token: approver,
        tenant,
        body: { query, variables },
      });
      assert.equal(body['errors'], undefined, JSON.stringify(body));
      return body['data'] as Json;
    };
    const books = async (name: string, args: object): Promise<Json> => {
      const answer = await world.call(`${world.server.addresses.mcp}/p/accounting`, {
        token: agent,
        tenant,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
      return answer.body['result']?.['structuredContent'] as Json;
    };
    const person = async (email: string): Promise<string> =>
      String((await rest('POST', '/contacts', { email, name: `Ida ${email}` })).body['contact']?.['id']);
    const customer = async (args: object): Promise<string> =>
      String((await books('service_create_party', { name: 'Ida Ltd', ...args }))['data']?.['party']?.['id']);
    const named = (list: unknown): unknown[] => (list as Json[]).map((one) => one['id']);

    const ida = await person('ida@one.test');
    const party = await customer({ email: 'Ida@One.test' });
    const asked = (await rest('GET', `/contacts/${ida}`)).body;
    assert.deepEqual(
      [named(asked['parties']), named(asked['suggestedParties'])],
      [[], [party]],
      'nobody is linked silently',
    );
    const before = (await books('service_get_party', { party_id: party }))['data'];
    assert.deepEqual([before?.['contact'], before?.['suggested_contact']?.['id']], [null, ida]);

    const linked = await books('service_update_party', { party_id: party, contact_id: ida });
    assert.equal(linked['data']?.['party']?.['contact_id'], ida, JSON.stringify(linked));
    const other = '0190a0a0-0000-7000-8000-00000000000a';
    const nobody = await books('service_update_party', { party_id: party, contact_id: other });
    assert.equal(nobody['error_code'], 'not_found');
    const booked = await customer({ email: 'ida.booked@one.test', contact_id: ida });
    const line = { description: 'Bicycle', unitPrice: '100', account: '4000' };
    const { createDocument } = await graph(
      'mutation ($input: DocumentInput!) { createDocument(kind: invoice, input: $input) { id } }',
      { input: { partyId: booked, issueDate: '2026-03-02', lines: [line] } } as unknown as Json,
    );
    await graph('mutation ($id: ID!) { issueDocument(id: $id) { number } }', { id: createDocument?.['id'] } as Json);

    // One that it is merged into is the same person.
    const twin = await person('twin@one.test');
    assert.equal((await rest('POST', `/contacts/${twin}/merge`, { duplicateId: ida }, approver)).status, 200);
    const shown = await tool('service_get_contact', { contact_id: ida });
    assert.deepEqual(named(shown['data']?.['parties']), [party, booked]);
    const parties = async (): Promise<Json[]> =>
      (
        await graph(
          '{ parties(archived: true, limit: 200) { items { id name email archived contactId contact { id name email } } } }',
          {} as Json,
        )
      )['parties']?.['items'] as unknown as Json[];
    const contact = { id: twin, name: 'Ida twin@one.test', email: 'twin@one.test' };
    assert.deepEqual(
      (await parties()).map((one) => one['contact']),
      [contact, contact],
    );

    // Linking while the person is erased: before it, and erased, or after it, and refused.
    const late = await customer({ email: 'late@one.test' });
    const link =
      'mutation ($id: ID!, $contact: ID!) { updateParty(id: $id, changes: { contactId: $contact }) { contactId } }';
    const [erased, tried] = await Promise.all([
      rest('POST', `/contacts/${ida}/erasure`, {}, approver),
      world.call(`${world.server.addresses.accounting}/graphql`, {
        token: approver,
        tenant,
        body: { query: link, variables: { id: late, contact: ida } },
      }),
    ]);
    assert.equal(erased.status, 200, JSON.stringify(erased.body));
    const came = tried.body['errors'] === undefined;
    const kept = { contactId: null, contact: null, email: null };
    assert.deepEqual(await parties(), [
      { id: party, name: 'Erased', archived: true, ...kept },
      { id: booked, name: 'Ida Ltd', archived: false, ...kept },
      { id: late, name: came ? 'Erased' : 'Ida Ltd', archived: came, ...kept, email: came ? null : 'late@one.test' },
    ]);
    const told = [
      { partyId: party, nameKept: false },
      { partyId: booked, nameKept: true },
      ...(came ? [{ partyId: late, nameKept: false }] : []),
    ];
    assert.deepEqual(erased.body['parties'], told);
    const again = await rest('POST', `/contacts/${ida}/erasure`, {}, approver);
    assert.deepEqual(again.body, erased.body);
    const unlinked = await books('service_update_party', { party_id: booked, contact_id: null, name: 'Ida Again' });
    assert.equal(unlinked['data']?.['party']?.['contact_id'], null);
  });

  test('where the policy has a tool wait for approval, REST is no way around it', async () => {
    const address = `${world.server.addresses.portal}/api/approval-policy`;
    const { body: policy } = await world.call(address, { token: approver, tenant });
    const tools = { service_upsert_contact: { tier: 'approval' }, service_define_contact_field: { tier: 'approval' } };
    const gated = { ...policy, tools };
    assert.equal((await world.call(address, { token: approver, tenant, method: 'PUT', body: gated })).status, 200);
    for (const [method, path, body] of [
      ['POST', '/contacts', { email: 'sneak@gate.test' }],
      ['PUT', '/contact-schema/fields/sneaky', { type: 'text' }],
    ] as const) {
      assert.deepEqual(code(await rest(method, path, body, agent)), [403, 'approval_required']);
      assert.equal((await rest(method, path, body, approver)).status, 201);
    }
  });

  test('neither the log nor the audit log holds what contacts are called or how they are reached', async () => {
    const audit = await world.call(`${world.server.addresses.accounting}/api/audit/events?limit=500&grammar=crm`, {
      token: owner,
      tenant,
    });
    const text = JSON.stringify(audit.body);
    assert.match(text, /crm\.contact\.created/);
    for (const secret of ['ada@example.com', 'Lovelace', '4930123456', 'London', 'merge.test']) {
      assert.ok(!text.includes(secret), `${secret} in the audit log`);
      assert.ok(!world.server.output().includes(secret), `${secret} in the log`);
    }
  });
});
