import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import * as crm from '@steward/crm';
import { revokeKey, unpublishForm } from '@steward/studio';
import {
  contactFields,
  createWorld,
  faults,
  submit,
  type FormInput,
  type Running,
  type Shop,
  type World,
} from '../fixtures/world.ts';

let world: World;
let server: Running;
before(async () => {
  world = await createWorld();
  server = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

/** Rows of a tenant that a submission could leave anywhere. */
async function kept({ context: { tenant } }: Pick<Shop, 'context'>): Promise<Record<string, bigint>> {
  const [row] = await world.admin.query<Record<string, bigint>>(sql`select
    (select count(*) from commerce.submission where tenant_id = ${tenant}::uuid) as submissions,
    (select count(*) from bus.outbox where tenant_id = ${tenant}::uuid and type like 'commerce.%') as announced,
    (select count(*) from audit.event where tenant_id = ${tenant}::uuid and type ~ '^(commerce|crm)[.]') as recorded,
    (select count(*) from crm.contact where tenant_id = ${tenant}::uuid) as contacts`);
  return row ?? {};
}
const nothing = { submissions: 0n, announced: 0n, recorded: 0n, contacts: 0n };

async function refuses(
  shop: Shop,
  body: unknown,
  [status, ...expected]: readonly [number, ...string[]],
  headers: Record<string, string> = {},
): Promise<void> {
  const recorded = (await kept(shop))['recorded'];
  const answer = await submit(server, shop, body, headers);
  const shown = typeof body === 'string' ? body.slice(0, 80) : JSON.stringify(body).slice(0, 80);
  assert.deepEqual([answer.status, ...faults(answer)], [status, ...expected], shown);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(typeof answer.body['detail'], 'string');
  assert.deepEqual(await kept(shop), { ...nothing, recorded });
}

describe('an accepted submission', () => {
  test('is stored with its contact, its audit event and its announcement, and answered as the contract says', async () => {
    const shop = await server.shop();
    const data = {
      email: ' Ada@Example.com ',
      full_name: 'Ada Lovelace',
      message: 'Hello',
      utm: { source: 'x' },
      zero: 0,
    };
    const answer = await submit(server, shop, { data, page: 'ignored' });
    assert.equal(answer.status, 201, answer.text);
    const { submissionId, createdAt, contactId, ...rest } = answer.body;
    assert.deepEqual(rest, { siteId: shop.siteId, formId: shop.formId, formVersion: 1, data });
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(await kept(shop), { submissions: 1n, announced: 1n, recorded: 2n, contacts: 1n });
    const [row] = await world.admin.query(sql`
      select s.*, c.email_key, c.name, o.data as event, o.subject, a.event as audit
      from commerce.submission s join crm.contact c using (tenant_id, contact_id)
      join bus.outbox o on o.tenant_id = s.tenant_id and o.subject = s.submission_id::text
      join audit.event a on a.tenant_id = s.tenant_id and a.type = 'commerce.form.submitted'
      where s.submission_id = ${String(submissionId)}::uuid`);
    assert.equal(row?.['email_key'], 'ada@example.com');
    assert.equal(row?.['contact_id'], contactId);
    assert.deepEqual(JSON.parse(String(row?.['data'])), data);
    const ids = { formVersion: 1, mode: 'live', formId: shop.formId, siteId: shop.siteId, submissionId, contactId };
    assert.deepEqual(JSON.parse(String(row?.['event'])), ids);
    const audit = JSON.parse(String(row?.['audit'])) as Record<string, unknown>;
    assert.deepEqual(audit['principalChain'], [{ principalId: `sdk-key:${shop.keyId}`, principalType: 'service' }]);
    assert.ok(
      !/lovelace|example\.com|hello/i.test(String(row?.['event']) + String(row?.['audit'])),
      'a typed value left the table',
    );
  });

  test('keeps 0, false, line breaks, markup and formulas as they came', async () => {
    const fields: FormInput['fields'] = ['count', 'agree', 'note'].map((name) => ({
      name,
      label: name,
      type: 'text',
      required: true,
    }));
    const shop = await server.shop({ fields });
    const data = {
      count: 0,
      agree: false,
      note: 'a\r\nBcc: x@y.z <script>alert(1)</script>',
      extra: '=1+1',
      custom_fields: { a: 1 },
    };
    const answer = await submit(server, shop, { data });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(answer.body['data'], data);
    assert.equal('contactId' in answer.body, false);
  });

  test('keeps that its sender agreed to news, by a ticked box alone, and takes no refusal back', async () => {
    const shop = await server.shop({
      fields: [
        { name: 'email', label: 'E-mail', type: 'email', required: false, mapsTo: 'email' },
        { name: 'news', label: 'News', type: 'checkbox', required: false, mapsTo: 'marketing_consent' },
      ],
    });
    const consentOf = async (email: string): Promise<unknown> => {
      const [row] = await world.admin.query(sql`
        select marketing_consent as said from crm.contact where tenant_id = ${shop.context.tenant}::uuid and email = ${email}`);
      return row?.['said'];
    };
    const send = async (data: object) => submit(server, shop, { data });
    assert.deepEqual(faults(await send({ email: 'eve@example.com', news: 'yes' })), [
      'invalid_contact_values',
      '/data/news invalid_type',
    ]);
    assert.equal(faults(await send({ news: true }))[0], 'contact_identity_required');
    for (const anonymous of [{ news: false }, {}]) {
      const { status, body } = await send(anonymous);
      assert.deepEqual([status, 'contactId' in body], [201, false]);
    }
    assert.equal((await send({ email: 'ann@example.com', news: false })).status, 201);
    assert.equal(await consentOf('ann@example.com'), null);
    const { body } = await send({ email: 'ann@example.com', news: true });
    assert.equal((await send({ email: 'ann@example.com', news: true })).status, 201);
    assert.equal((await send({ email: 'ann@example.com' })).status, 201);
    const { at, ...said } = (await consentOf('ann@example.com')) as Record<string, unknown>;
    assert.match(String(at), /^\d{4}-/);
    assert.deepEqual(said, {
      given: true,
      source: {
        kind: 'form.submitted',
        submission_id: body['submissionId'],
        form_id: shop.formId,
        site_id: shop.siteId,
      },
    });
    await world.admin.query(sql`
      update crm.contact set marketing_consent = jsonb_set(marketing_consent, '{given}', 'false') where tenant_id = ${shop.context.tenant}::uuid`);
    assert.equal((await send({ email: 'ann@example.com', news: true })).status, 201);
    assert.equal(((await consentOf('ann@example.com')) as { given: boolean }).given, false);
  });

  test('is possible without Origin, and from an origin of the site', async () => {
    const shop = await server.shop();
    const answer = await submit(server, shop, { data: { email: 'a@b.example' } }, { origin: 'https://shop.example' });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example');
  });

  test('cannot be changed or removed by the application', async () => {
    const shop = await server.shop();
    await submit(server, shop, { data: { email: 'a@b.example' } });
    for (const statement of [
      'update commerce.submission set data = data',
      'delete from commerce.submission',
      'truncate commerce.submission',
    ])
      await assert.rejects(server.pool.query({ name: statement, text: statement, values: [] }), /permission denied/);
  });
});

describe('a submission is refused, with nothing kept, where', () => {
  test('data is missing, null or no object', async () => {
    const shop = await server.shop();
    for (const body of [{}, { data: null }, [], 'null', '"x"'])
      await refuses(shop, body, [400, 'data_required', '/data required']);
    for (const data of [[], 'x', 7]) await refuses(shop, { data }, [400, 'invalid_data', '/data invalid_type']);
  });

  test('a required field is missing, null, blank in any script, or an empty array', async () => {
    const shop = await server.shop({
      fields: [...(contactFields ?? []), { name: 'why', label: 'Why', type: 'text', required: false }],
      validationRules: [{ field: 'why', rule: 'required' }],
    });
    await refuses(shop, { data: {} }, [400, 'required_fields_missing', '/data/email required', '/data/why required']);
    for (const why of ['', '   ', '\t\r\n', '\u00a0\u2003\u3000', '\u0085\u200b\ufeff\u2060'])
      await refuses(shop, { data: { email: 'a@b.example', why } }, [400, 'required_fields_missing', '/data/why blank']);
    await refuses(shop, { data: { email: 'a@b.example', why: [] } }, [
      400,
      'required_fields_missing',
      '/data/why empty',
    ]);
    await refuses(shop, { data: { email: 'a@b.example', why: null } }, [
      400,
      'required_fields_missing',
      '/data/why required',
    ]);
    await refuses(shop, '{"data": {"email": "a@b.example", "__proto__": {"why": "x"}}}', [
      400,
      'required_fields_missing',
      '/data/why required',
    ]);
  });

  test('a contactId stands anywhere', async () => {
    const shop = await server.shop();
    const data = { email: 'a@b.example' };
    await refuses(shop, { data, contactId: newId() }, [
      400,
      'contact_id_not_accepted',
      '/contactId contact_id_not_accepted',
    ]);
    await refuses(shop, { data: { ...data, contactId: '' } }, [
      400,
      'contact_id_not_accepted',
      '/data/contactId contact_id_not_accepted',
    ]);
    await refuses(shop, { data: { ...data, a: [{ contactId: 1 }] } }, [
      400,
      'contact_id_not_accepted',
      '/data/a/0/contactId contact_id_not_accepted',
    ]);
    await refuses(shop, `{"data":{"email":"a@b.example","\\u0063ontactId":1}}`, [
      400,
      'contact_id_not_accepted',
      '/data/contactId contact_id_not_accepted',
    ]);
  });

  test('custom values are hidden in custom_fields, whose members are not unpacked', async () => {
    const owner = await server.tenant();
    await crm.defineContactField(owner, { key: 'company', label: 'Company', type: 'text' });
    const site = await server.site(owner);
    const formId = await server.form(owner, site.siteId, {
      targetEntityType: 'crm_contact',
      fields: [
        ...(contactFields ?? []),
        { name: 'company', label: 'Company', type: 'text', required: true, mapsTo: 'company' },
      ],
    });
    await refuses({ ...site, formId }, { data: { email: 'a@b.example', custom_fields: { company: 'ACME' } } }, [
      400,
      'required_fields_missing',
      '/data/company required',
    ]);
  });

  test('a mapped value does not fit the contact schema that is active now', async () => {
    const owner = await server.tenant();
    await crm.defineContactField(owner, { key: 'employees', label: 'Employees', type: 'number' });
    const site = await server.site(owner);
    const formId = await server.form(owner, site.siteId, {
      targetEntityType: 'crm_contact',
      fields: [
        ...(contactFields ?? []),
        { name: 'size', label: 'Size', type: 'text', required: false, mapsTo: 'employees' },
      ],
    });
    const shop = { ...site, formId };
    await refuses(shop, { data: { email: 'no address' } }, [
      400,
      'invalid_contact_values',
      '/data/email invalid_value',
    ]);
    await refuses(shop, { data: { email: 'a@b.example', size: 'many' } }, [
      400,
      'invalid_contact_values',
      '/data/size invalid_value',
    ]);
    await refuses(shop, { data: { email: { a: 1 }, size: 'many' } }, [
      400,
      'invalid_contact_values',
      '/data/email invalid_value',
      '/data/size invalid_value',
    ]);
    assert.equal((await submit(server, shop, { data: { email: 'a@b.example', size: 12 } })).status, 201);
  });

  test('custom values are mapped and nothing says whose they are', async () => {
    const owner = await server.tenant();
    await crm.defineContactField(owner, { key: 'company', label: 'Company', type: 'text' });
    const site = await server.site(owner);
    const fields: NonNullable<FormInput['fields']> = [
      { name: 'mail', label: 'E-mail', type: 'email', required: false, mapsTo: 'email' },
      { name: 'company', label: 'Company', type: 'text', required: false, mapsTo: 'company' },
    ];
    const shop = {
      ...site,
      formId: await server.form(owner, site.siteId, { targetEntityType: 'crm_contact', fields }),
    };
    await refuses(shop, { data: { company: 'ACME' } }, [
      400,
      'contact_identity_required',
      '/data/mail identity_required',
    ]);
    await refuses(shop, { data: { company: 'ACME', mail: '  ' } }, [
      400,
      'contact_identity_required',
      '/data/mail identity_required',
    ]);
    const answer = await submit(server, shop, { data: { other: 1 } });
    assert.equal(answer.status, 201, 'what maps nothing needs nobody');
    assert.equal('contactId' in answer.body, false);
  });

  test('the form maps to something other than a contact, which nobody could publish by the API', async () => {
    const shop = await server.shop();
    await world.admin.query(sql`alter table studio.form_version disable trigger all`);
    await world.admin.query(sql`
      update studio.form_version set document = replace(document, '"crm_contact"', '"crm_deal"'), definition = replace(definition, '"crm_contact"', '"crm_deal"')
      where form_id = ${shop.formId}::uuid`);
    await world.admin.query(sql`alter table studio.form_version enable trigger all`);
    await refuses(shop, { data: { email: 'a@b.example' } }, [
      400,
      'unsupported_mapping_target',
      '/data/email unsupported_mapping_target',
      '/data/full_name unsupported_mapping_target',
    ]);
  });

  test('the form is no UUID, unknown, another site’s, another tenant’s or unpublished', async () => {
    const shop = await server.shop();
    const other = await server.shop();
    const sibling = await server.site(shop.context);
    const siblingForm = await server.form(shop.context, sibling.siteId);
    const body = { data: { email: 'a@b.example' } };
    await refuses({ ...shop, formId: 'contact' }, body, [400, 'invalid_form_id', '?formId invalid_format']);
    for (const formId of [newId(), other.formId, siblingForm])
      await refuses({ ...shop, formId }, body, [404, 'form_not_found']);
    await unpublishForm(shop.context, { formId: shop.formId }, server.studio.deps);
    await refuses(shop, body, [404, 'form_not_found']);
  });

  test('the key is missing, mistyped, of another tenant, or revoked', async () => {
    const shop = await server.shop();
    const other = await server.shop();
    const body = { data: { email: 'a@b.example' } };
    for (const key of ['', 'pk_live_x', `${shop.key.slice(0, -1)}!`, `${shop.key}, ${shop.key}`])
      await refuses({ ...shop, key }, body, [401, 'invalid_sdk_key']);
    await refuses({ ...shop, key: other.key }, body, [404, 'form_not_found']);
    await revokeKey(shop.context, { siteId: shop.siteId, keyId: shop.keyId }, server.studio.deps);
    await refuses(shop, body, [401, 'invalid_sdk_key']);
  });

  test('the page is of an origin that is not on the list', async () => {
    const shop = await server.shop();
    const body = { data: { email: 'a@b.example' } };
    for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example:8443', 'null'])
      await refuses(shop, body, [403, 'origin_not_allowed'], { origin });
    await refuses(await server.shop({}, []), body, [403, 'origin_not_allowed'], { origin: 'https://shop.example' });
  });

  test('the body is too large, too deep, not JSON as it should be, or of another type', async () => {
    const shop = await server.shop();
    await refuses(shop, { data: { email: 'a@b.example', x: 'x'.repeat(5_000_000) } }, [
      413,
      'payload_too_large',
      ' payload_too_large',
    ]);
    await refuses(shop, { data: { email: 'a@b.example', x: 'x'.repeat(66_000) } }, [
      413,
      'payload_too_large',
      '/data too_large',
    ]);
    await refuses(shop, `{"data":{"a":${'['.repeat(31)}${']'.repeat(31)}}}`, [400, 'invalid_json', ' invalid_json']);
    for (const body of [
      '{"data":{"email":"a@b.example","email":"c@d.example"}}',
      '{"data":{"email":"\\ud800"}}',
      '{"data":{"a\\u0000":1}}',
      '{"data":{"n":1e999}}',
      '{"data":',
      '',
    ])
      await refuses(shop, body, [400, 'invalid_json', ' invalid_json']);
    await refuses(shop, '{"data":{"email":"a@b.example","m":"\\u0000"}}', [
      400,
      'invalid_data',
      '/data/m invalid_characters',
    ]);
    await refuses(shop, 'email=a', [415, 'unsupported_media_type'], {
      'content-type': 'application/x-www-form-urlencoded',
    });
    await refuses(shop, '{}', [415, 'unsupported_content_encoding'], { 'content-encoding': 'gzip' });
  });

  test('the database has no room for the announcement: the contact goes too', async () => {
    const shop = await server.shop();
    await world.admin.query(
      sql`create or replace function commerce.fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await world.admin.query(
      sql`create trigger fail before insert on bus.outbox for each row when (new.type like 'commerce.%') execute function commerce.fail()`,
    );
    const recorded = (await kept(shop))['recorded'];
    const answer = await submit(server, shop, { data: { email: 'a@b.example' } });
    await world.admin.query(sql`drop trigger fail on bus.outbox`);
    assert.equal(answer.status, 500);
    assert.deepEqual(await kept(shop), { ...nothing, recorded });
  });
});
