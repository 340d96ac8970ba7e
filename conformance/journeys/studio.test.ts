import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

describe('a studio, as an agent and a developer find it', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  let agent: string;
  before(async () => {
    world = await createWorld();
    ({ tenant, token: owner } = await world.signUp('owner@example.com', 'Studio Ltd'));
    agent = await world.token({ user: 'owner@example.com', agent: 'designer' });
  });
  after(async () => world[Symbol.asyncDispose]());

  const rpc = async (method: string, params: object, path = ''): Promise<Json> => {
    const url = `${world.server.addresses.mcp}/t/${tenant}${path}`;
    const { body } = await world.call(url, { token: agent, body: { jsonrpc: '2.0', id: 1, method, params } });
    return body['result'] as Json;
  };
  const call = async (name: string, args: object, path?: string): Promise<Json> =>
    (await rpc('tools/call', { name, arguments: args }, path))['structuredContent'] as Json;
  const data = async (name: string, args: object, path?: string): Promise<Json> => {
    const result = await call(name, args, path);
    assert.equal(String(result['status']), 'ok', `${name}: ${JSON.stringify(result)}`);
    return result['data'] as Json;
  };
  const rest = async (method: string, path: string, body?: unknown, token = owner, at = tenant): Promise<Answer> =>
    world.call(`${world.server.addresses.studio}/api${path}`, {
      token,
      tenant: at,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const schema = async (formId: unknown, key: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.storefront}/forms/${String(formId)}/schema`, {
      headers: { 'x-service-sdk-key': String(key) },
    });
  const pointersOf = (result: Json): string[] =>
    ((result['data']?.['errors'] ?? []) as unknown as { pointer: string }[]).map(({ pointer }) => pointer);
  const code = ({ status, body }: Answer): unknown[] => [status, body['code']];
  const namesOf = async (path?: string): Promise<string[]> =>
    ((await rpc('tools/list', {}, path))['tools'] as unknown as { name: string }[]).map(({ name }) => name);

  test('the tools that begin are at the endpoint, all of them at the pillar, and no list is too long', async () => {
    const core = await namesOf();
    for (const name of [
      'service_create_site',
      'service_list_sites',
      'service_issue_sdk_key',
      'service_create_form',
      'service_update_form',
      'service_publish_form',
      'service_list_forms',
      'service_get_form',
    ])
      assert.ok(core.includes(name), name);
    assert.ok(core.length <= 60, `${core.length} tools`);
    const all = await namesOf('/p/studio');
    for (const name of ['service_rotate_sdk_key', 'service_revoke_sdk_key', 'service_unpublish_form'])
      assert.ok(all.includes(name) && !core.includes(name), name);
  });

  test('an agent makes site, key and form, and a page reads the form', async () => {
    const site = (await data('service_create_site', { name: 'Shop', origins: ['https://shop.example'] }))[
      'site'
    ] as Json;
    const issued = (await data('service_issue_sdk_key', { site_id: site['id'] }))['sdk_key'] as Json;
    const form = (
      await data('service_create_form', {
        site_id: site['id'],
        name: 'Contact us',
        fields: [
          { name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
          { name: 'topic', label: 'Topic', type: 'select', options: ['Sales', 'Support'], help_text: 'Choose one' },
        ],
        validation_rules: [{ field: 'topic', rule: 'required' }],
        // A member's: others take a person.
        notification_emails: ['owner@example.com'],
      })
    )['form'] as Json;
    assert.equal(String(form['target_entity_type']), 'crm_contact');
    assert.deepEqual(code(await schema(form['id'], issued['key'])), [404, 'form_not_found']);
    const published = await data('service_publish_form', { form_id: form['id'] });
    const embed = String(published['embed']);
    assert.ok(embed.includes(`<storefront-form form-id="${String(form['id'])}" sdk-key=`), embed);
    const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(embed) ?? [];
    assert.equal((await fetch(script)).status, 200, script);
    assert.equal(Number(published['version']), 1);
    const answer = await schema(form['id'], issued['key']);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(
      String(published['schema_url']),
      `${world.server.addresses.storefront}/forms/${String(form['id'])}/schema`,
    );
    assert.deepEqual(answer.body, {
      formId: form['id'],
      siteId: site['id'],
      name: 'Contact us',
      activeVersion: 1,
      targetEntityType: 'crm_contact',
      fields: [
        { name: 'email', label: 'E-mail', type: 'email', required: true, mapsTo: 'email' },
        {
          name: 'topic',
          label: 'Topic',
          type: 'select',
          required: true,
          helpText: 'Choose one',
          options: [
            { value: 'Sales', label: 'Sales' },
            { value: 'Support', label: 'Support' },
          ],
        },
      ],
      validationRules: [{ field: 'topic', rule: 'required' }],
    });
  });

  test('names that people give to fields, values and options stay as they were given', async () => {
    const { site } = await data('service_create_site', { name: 'Names' });
    const { sdk_key: issued } = await data('service_issue_sdk_key', { site_id: site?.['id'] });
    const fields = [
      { name: 'firstName', label: 'First name', type: 'text', required: false },
      { name: 'last_name', label: 'Last name', type: 'text', required: false },
      {
        name: 'shirtSize',
        label: 'Size',
        type: 'select',
        required: false,
        options: [
          { value: 'extraLarge', label: 'XL' },
          { value: 'extra_small', label: 'XS' },
        ],
      },
    ];
    const { form } = await data('service_create_form', { site_id: site?.['id'], name: 'Names', fields });
    const form_id = String(form?.['id']);
    assert.deepEqual(form?.['fields'], fields);
    await data('service_publish_form', { form_id });
    const sent = {
      firstName: 'A',
      last_name: 'B',
      shirtSize: 'extraLarge',
      noField: { innerKey: [{ a_b: 1, aB: 2 }] },
    };
    const { body } = await world.call(`${world.server.addresses.storefront}/forms/${form_id}/submit`, {
      headers: { 'x-service-sdk-key': String(issued?.['key']) },
      body: { data: sent },
    });
    assert.deepEqual(body['data'], sent);
    const { submissions } = await data('service_list_form_submissions', { form_id });
    assert.deepEqual((submissions as unknown as Json[])[0]?.['data'], sent);
    const one = { submission_id: body['submissionId'] };
    assert.deepEqual((await data('service_get_form_submission', one, '/p/studio'))['data'], sent);
  });

  test('a preview makes nothing, and a refusal points into the agent’s own arguments', async () => {
    const before = ((await data('service_list_sites', {}))['sites'] as unknown as Json[]).length;
    const preview = await call('service_create_site', { name: 'Preview', preview: true });
    assert.equal(String(preview['status']), 'preview');
    assert.deepEqual(
      [preview['preview']?.['site']?.['name'], preview['preview']?.['site']?.['id']],
      ['Preview', undefined],
    );
    const sites = (await data('service_list_sites', {}))['sites'] as unknown as Json[];
    assert.equal(sites.length, before);
    const shown = await call('service_issue_sdk_key', { site_id: sites[0]?.['id'], preview: true });
    assert.doesNotMatch(JSON.stringify(shown), /pk_live_[0-9A-Za-z]{6}/);
    assert.deepEqual(
      [shown['preview']?.['sdk_key']?.['mode'], shown['preview']?.['sdk_key']?.['key']],
      ['live', undefined],
    );
    const wrong = await call('service_create_form', {
      site_id: sites[0]?.['id'],
      name: 'Wrong',
      fields: [{ name: 'contact_id', label: 'C', type: 'text' }],
      validation_rules: [{ field: 'nothing', rule: 'required' }],
    });
    assert.deepEqual(pointersOf(wrong), ['/fields/0/name', '/validation_rules/0/field']);
    const unknown = await data('service_create_form', {
      site_id: sites[0]?.['id'],
      name: 'Unknown field',
      fields: [
        { name: 'email', label: 'E', type: 'email', maps_to: 'email' },
        { name: 'size', label: 'S', type: 'number', maps_to: 'shoe_size' },
      ],
    });
    const refused = await call('service_publish_form', { form_id: (unknown['form'] as Json)['id'] });
    assert.deepEqual([refused['error_code'], pointersOf(refused)[0]], ['form_not_publishable', '/fields/1/maps_to']);
  });

  test('a form whose choices its contact field refuses is not published', async () => {
    const site = (await data('service_create_site', { name: 'Choices' }))['site'] as Json;
    await data('service_define_contact_field', {
      key: 'plan',
      type: 'select',
      options: [{ value: 'basic' }, { value: 'pro' }],
    });
    await data('service_define_contact_field', { key: 'seats', type: 'number' });
    const offering = async (fields: readonly object[]): Promise<Json> => {
      const email = { name: 'email', label: 'E-mail', type: 'email', maps_to: 'email' };
      const made = await data('service_create_form', {
        site_id: site['id'],
        name: 'Order',
        fields: [email, ...fields],
      });
      return call('service_publish_form', { form_id: made['form']?.['id'] });
    };
    const plan = { name: 'plan', label: 'Plan', type: 'select', maps_to: 'plan' };
    const wrong = await offering([
      { ...plan, options: ['basic', 'gold'] },
      { name: 'seats', label: 'Seats', type: 'multiselect', options: ['1', '2'], maps_to: 'seats' },
    ]);
    assert.equal(String(wrong['error_code']), 'form_not_publishable');
    assert.deepEqual(pointersOf(wrong), ['/fields/1/options/1', '/fields/2/maps_to']);
    const good = await offering([
      { ...plan, options: ['basic', 'pro'] },
      { name: 'seats', label: 'Seats', type: 'radio', options: ['1', '2'], maps_to: 'seats' },
    ]);
    assert.equal(String(good['status']), 'ok', JSON.stringify(good));
  });

  test('a repeated command answers with the same key, and no table holds it', async () => {
    const site = (await data('service_create_site', { name: 'Once' }))['site'] as Json;
    const args = { site_id: site['id'], idempotency_key: 'issue-the-key-1' };
    const answers = await Promise.all(Array.from({ length: 5 }, async () => data('service_issue_sdk_key', args)));
    answers.push(await data('service_issue_sdk_key', args));
    const key = String(answers[0]?.['sdk_key']?.['key']);
    assert.deepEqual(new Set(answers.map((one) => String(one['sdk_key']?.['key']))), new Set([key]));
    const listed = (await data('service_list_sdk_keys', { site_id: site['id'] }, '/p/studio'))['sdk_keys'];
    assert.equal((listed as unknown as Json[]).length, 1);
    const again = await call('service_issue_sdk_key', { ...args, label: 'Other' });
    assert.equal(String(again['error_code']), 'idempotency_conflict');
    const rotated = await data(
      'service_rotate_sdk_key',
      { site_id: site['id'], key_id: answers[0]?.['sdk_key']?.['id'], idempotency_key: 'rotate-the-key-1' },
      '/p/studio',
    );
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const tables = await admin.query<{ name: string }>(sql`
      select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'`);
    assert.ok(tables.length > 20);
    for (const text of [key, String((rotated['sdk_key'] as Json)['key'])]) {
      const secret = text.slice(8, 38);
      const hex = Buffer.from(secret).toString('hex');
      for (const { name } of tables) {
        const { rows } = await admin.withClient(async (client) =>
          client.query(
            `select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0 limit 1`,
            [secret, hex],
          ),
        );
        assert.deepEqual(rows, [], `${name} holds a key`);
      }
    }
  });

  test('REST does the same, and a revoked key is refused with the next request', async () => {
    const site = await rest('POST', '/sites', { name: 'REST', origins: ['http://localhost:5173/'] });
    assert.deepEqual([site.status, site.body['origins']], [201, ['http://localhost:5173']]);
    const siteId = String(site.body['id']);
    const issued = await rest('POST', `/sites/${siteId}/keys`, { mode: 'test', label: 'Web' });
    assert.deepEqual([issued.status, issued.headers.get('cache-control')], [201, 'no-store']);
    const form = await rest('POST', '/forms', {
      siteId,
      name: 'News',
      fields: [{ name: 'email', label: 'E-mail', type: 'email', mapsTo: 'email' }],
    });
    assert.equal(form.status, 201, JSON.stringify(form.body));
    const formPath = `/forms/${String(form.body['id'])}`;
    assert.equal((await rest('POST', `${formPath}/publish`, {})).body['version'] as unknown, 1);
    assert.equal((await schema(form.body['id'], issued.body['key'])).headers.get('etag'), '"v1"');
    assert.equal((await rest('PATCH', formPath, { name: 'Newsletter', revision: 1 })).status, 200);
    assert.deepEqual(code(await rest('PATCH', formPath, { name: 'x', revision: 1 })), [409, 'form_changed']);
    assert.equal((await rest('POST', `${formPath}/publish`, {})).body['version'] as unknown, 2);
    assert.equal((await schema(form.body['id'], issued.body['key'])).headers.get('etag'), '"v2"');
    assert.equal((await rest('POST', `${formPath}/publish`, { version: 1 })).status, 200);
    assert.equal((await schema(form.body['id'], issued.body['key'])).headers.get('etag'), '"v1"');
    const versions = (await rest('GET', `${formPath}/versions?limit=1`)).body;
    assert.deepEqual([(versions['items'] as unknown as Json[])[0]?.['version'], versions['nextCursor']], [2, '2']);
    assert.equal((await rest('GET', `${formPath}/versions/1`)).body['name'] as unknown, 'News');

    const other = await rest('POST', `/sites/${siteId}/keys/${String(issued.body['id'])}/rotate`, { overlapHours: 1 });
    assert.equal((await schema(form.body['id'], issued.body['key'])).status, 200);
    assert.equal((await schema(form.body['id'], other.body['key'])).status, 200);
    assert.equal((await rest('DELETE', `/sites/${siteId}/keys/${String(issued.body['id'])}`)).status, 200);
    assert.deepEqual(code(await schema(form.body['id'], issued.body['key'])), [401, 'invalid_sdk_key']);
    assert.equal((await rest('PATCH', `/sites/${siteId}`, { status: 'disabled' })).status, 200);
    assert.deepEqual(code(await schema(form.body['id'], other.body['key'])), [401, 'invalid_sdk_key']);

    assert.equal((await rest('DELETE', formPath)).status, 204);
    assert.equal((await rest('POST', `${formPath}/restore`)).body['status'] as unknown, 'unpublished');
    assert.deepEqual(code(await rest('GET', `/forms?siteId=nobody`)), [400, 'invalid_request']);
    assert.deepEqual(code(await rest('GET', `${formPath}/versions/0`)), [400, 'invalid_request']);
    assert.deepEqual(code(await rest('POST', '/sites', { name: 'x', origin: 'https://a.example' })), [
      400,
      'invalid_request',
    ]);
  });

  test('another tenant sees nothing of it, a viewer changes nothing, and a denial stands in the audit log', async () => {
    const site = await rest('POST', '/sites', { name: 'Guarded' });
    const path = `/sites/${String(site.body['id'])}`;
    const other = await world.signUp('other@example.com', 'Other Ltd');
    assert.deepEqual(code(await rest('GET', path, undefined, other.token, other.tenant)), [404, 'not_found']);
    assert.deepEqual(code(await rest('GET', path, undefined, other.token)), [403, 'tenant_forbidden']);
    assert.deepEqual(code(await rest('POST', `${path}/keys`, {}, other.token, other.tenant)), [404, 'not_found']);
    const portal = `${world.server.addresses.portal}/api`;
    const invited = await world.call(`${portal}/invitations`, {
      token: await world.token({ user: 'owner@example.com', approver: true }),
      tenant,
      body: { email: 'viewer@example.com', role: 'viewer' },
    });
    const viewer = await world.token({ user: 'viewer@example.com' });
    await world.call(`${portal}/invitations/accept`, { token: viewer, body: { secret: invited.body['secret'] } });
    assert.equal((await rest('GET', path, undefined, viewer)).status, 200);
    assert.deepEqual(code(await rest('PATCH', path, { name: 'x' }, viewer)), [403, 'insufficient_role']);
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const denials = await admin.query<{ canonical: string }>(sql`
      select e::text as canonical from audit.event e where tenant_id = ${tenant}::uuid and type = 'tools.call.denied'`);
    assert.equal(denials.filter(({ canonical }) => canonical.includes('PATCH /api/sites/:siteId')).length, 1);
  });

  test('a grant that was narrowed or revoked holds over REST as well: reads and writes, of forms and of contacts', async () => {
    const grants = `${world.server.addresses.portal}/api/agent-grants`;
    const other = await world.token({ user: 'owner@example.com', agent: 'intern' });
    const contacts = async (): Promise<Answer> =>
      world.call(`${world.server.addresses.commerce}/api/contacts`, { token: other, tenant, method: 'GET' });
    assert.equal((await rest('GET', '/sites', undefined, other)).status, 200);
    assert.equal((await contacts()).status, 200);
    const narrowed = { agentId: 'intern', pillars: ['studio'], tiers: ['read'] };
    const deciding = await world.token({ user: 'owner@example.com', approver: true });
    const granted = await world.call(grants, { token: deciding, tenant, method: 'POST', body: narrowed });
    assert.equal(granted.status, 201);
    assert.deepEqual(code(await rest('POST', '/sites', { name: 'Not granted' }, other)), [403, 'tool_denied']);
    assert.equal((await rest('GET', '/sites', undefined, other)).status, 200, 'what is left of its grant');
    assert.deepEqual(code(await contacts()), [403, 'tool_denied']);
    await world.call(`${grants}/intern`, { token: owner, tenant, method: 'DELETE' });
    assert.deepEqual(code(await rest('GET', '/sites', undefined, other)), [403, 'tenant_forbidden']);
    assert.deepEqual(code(await contacts()), [403, 'tenant_forbidden']);
    const graph = async (token: string): Promise<Answer> =>
      world.call(`${world.server.addresses.accounting}/graphql`, { token, tenant, body: { query: '{ __typename }' } });
    assert.deepEqual(code(await graph(other)), [403, 'tenant_forbidden']);
    assert.equal((await graph(agent)).status, 200);
    assert.equal((await rest('GET', '/sites', undefined, agent)).status, 200, 'another agent');
  });
});
