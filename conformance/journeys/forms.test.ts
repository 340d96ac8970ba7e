import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createProcessWorld,
  hireAgent,
  openMailbox,
  openShop,
  type Agent,
  type Json,
  type Email,
  type Mailbox,
  type Shop,
  type ProcessWorld,
} from '@steward/conformance/world';
import { createStorefront, StorefrontError, type Storefront } from '@steward/storefront';

const desk = 'desk@fjord-bikes.example';

describe('from a published form to a contact, an event and an e-mail', () => {
  let world: ProcessWorld;
  let mailbox: Mailbox;
  let agent: Agent;
  let shop: Shop;

  before(async () => {
    mailbox = await openMailbox();
    world = await createProcessWorld({ SMTP_URL: mailbox.url });
    agent = await hireAgent(world, 'owner@fjord-bikes.example');
    shop = await openShop(agent, ['https://fjord-bikes.example'], [desk]);
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
  });

  /** A server that renders pages: it sends no Origin, and the address of the instance may have changed. */
  const storefront = (): Storefront =>
    createStorefront({ baseUrl: world.server.addresses.storefront, sdkKey: shop.key });
  const refusal = async (data: Record<string, unknown>): Promise<string[]> => {
    const error: unknown = await storefront()
      .submit(shop.formId, data)
      .catch((reason: unknown) => reason);
    assert.ok(error instanceof StorefrontError, String(error));
    assert.equal(error.status, 400);
    return error.errors.map(({ field, code }) => `${field} ${code}`);
  };
  const submissions = async (): Promise<Json[]> => {
    const { submissions: found } = await agent.call('service_list_form_submissions', { form_id: shop.formId });
    return found as unknown as Json[];
  };
  const contacts = async (email: string): Promise<Json[]> => {
    const { contacts: found } = await agent.call('service_search_contacts', { email });
    return found as unknown as Json[];
  };
  /** Ids of what was submitted: the truth from commerce, the studio's list from the events that came. */
  const listed = async (by: 'commerce' | 'studio'): Promise<string[]> => {
    const url = `${world.server.addresses[by]}/api/forms/${shop.formId}/submissions?limit=200`;
    const { status, body } = await world.call(url, agent);
    assert.equal(status, 200, JSON.stringify(body));
    return (body['items'] as unknown as { submissionId: string }[]).map(({ submissionId }) => submissionId);
  };
  const eventually = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await sleep(25);
    }
  };
  const emailOf = async (submissionId: string): Promise<Email> =>
    eventually(() => mailbox.emails.find(({ body }) => body.includes(submissionId)));
  const complete = { full_name: 'Ada Lovelace', email: 'ada@example.com', consent: true };

  test('a page reads what the agent published', async () => {
    const schema = await storefront().schema(shop.formId);
    assert.deepEqual([schema.name, schema.siteId, schema.activeVersion], ['Ask us', shop.siteId, 1]);
    assert.deepEqual(
      schema.fields.map(({ name, type, required }) => `${name}:${type}${required ? '!' : ''}`),
      ['full_name:text!', 'email:email!', 'topic:select', 'message:textarea', 'consent:checkbox!'],
    );
    assert.deepEqual(schema.validationRules, [{ field: 'message', rule: 'max_length', value: 200 }]);
  });

  test('what a visitor sends is a submission, a contact, an event and an email, and stands in the audit log', async () => {
    const data = {
      full_name: 'Ada <b>Lovelace</b>',
      email: ' Ada@Example.com ',
      topic: 'Repairs',
      message: 'A wheel\r\nBcc: everybody@example.com',
      consent: true,
    };
    const { submissionId, contactId, formVersion } = await storefront().submit(shop.formId, data);
    assert.equal(formVersion, 1);

    const [stored] = await submissions();
    assert.deepEqual(
      [stored?.['submission_id'], stored?.['contact_id'], stored?.['data']],
      [submissionId, contactId, data],
    );
    const [contact] = await contacts('ada@example.com');
    assert.deepEqual([contact?.['id'], contact?.['name']], [contactId, data.full_name]);

    await eventually(async () => (await listed('studio')).find((id) => id === submissionId));
    const email = await emailOf(submissionId);
    assert.deepEqual(email.to, [desk]);
    assert.match(email.head, /^Subject: A form was submitted\r?$/m);
    // Whole words of theirs: the address to unsubscribe holds random letters, among which a short name comes up by chance.
    assert.doesNotMatch(email.head, /ada@|lovelace|everybody/i);
    assert.match(email.body, /<td [^>]*>Ada &(?:#60|lt);b&(?:#62|gt);Lovelace/);

    const url = `${world.server.addresses.accounting}/api/audit/events?limit=100`;
    const answer = await world.call(url, agent);
    const events = (
      answer.body['items'] as unknown as { type: string; payload: Record<string, unknown> }[]
    ).toReversed();
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => /^(?:studio|crm|commerce)\./.test(type)),
      [
        'studio.site.created',
        'studio.sdk_key.issued',
        'studio.form.created',
        'studio.form.published',
        'crm.contact.created',
        'commerce.form.submitted',
      ],
    );
    const submitted = events.find(({ type }) => type === 'commerce.form.submitted');
    assert.equal(submitted?.payload['submission_id'], submissionId);
    assert.doesNotMatch(JSON.stringify(events), /lovelace|@example\.com/i, 'the log holds ids, not what was typed');
  });

  test('a refusal names the field to show it at, and stores nothing', async () => {
    const before = await submissions();
    assert.deepEqual(await refusal({ ...complete, full_name: '  ' }), ['full_name blank']);
    assert.deepEqual(await refusal({ ...complete, email: 'nobody' }), ['email invalid_value']);
    assert.deepEqual(await refusal({}), ['full_name required', 'email required', 'consent required']);
    assert.deepEqual(await submissions(), before);
  });

  test('a visitor who sends at the same moment five times, and again under another name, is one contact', async () => {
    const grace = { ...complete, full_name: 'Grace Hopper', email: 'grace@example.com' };
    const sent = await Promise.all(Array.from({ length: 5 }, async () => storefront().submit(shop.formId, grace)));
    sent.push(await storefront().submit(shop.formId, { ...grace, full_name: 'Mallory' }));
    assert.equal(new Set(sent.map(({ submissionId }) => submissionId)).size, 6);
    assert.equal(new Set(sent.map(({ contactId }) => contactId)).size, 1);
    const found = await contacts('grace@example.com');
    assert.deepEqual(
      found.map(({ name }) => String(name)),
      ['Grace Hopper'],
      'who knows an address does not change what is known of it',
    );
  });

  test('what was accepted before a crash is announced after it, once', async () => {
    const { submissionId } = await storefront().submit(shop.formId, { ...complete, email: 'last@example.com' });
    await world.server.kill();
    await world.restart();
    await agent[Symbol.asyncDispose]();
    agent = await hireAgent(world, 'owner@fjord-bikes.example');
    const truth = await listed('commerce');
    assert.ok(truth.includes(submissionId));
    const known = await eventually(async () => {
      const ids = await listed('studio');
      return ids.length >= truth.length ? ids : undefined;
    });
    assert.deepEqual(known, truth, 'each once, in order');
    await emailOf(submissionId);
    // Its owner, who approved that it is published, may have got that email before they did.
    const ofForm = mailbox.emails.filter(({ head }) => !/^Subject: Approval needed: /m.test(head));
    assert.deepEqual([...new Set(ofForm.flatMap(({ to }) => to))], [desk], 'nobody else is ever written to');
  });
});
