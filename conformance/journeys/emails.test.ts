import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createWorld,
  hireAgent,
  openMailbox,
  openShop,
  surroundings,
  type Agent,
  type Json,
  type Email,
  type Mailbox,
  type Shop,
  type World,
} from '@steward/conformance/world';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createStorefront } from '@steward/storefront';

const run = promisify(execFile);
const owner = 'owner@fjord-bikes.example';
const desk = 'desk@elsewhere.example';
const closed = 'closed@elsewhere.example';

describe('emails about a form, where only who is known gets them', () => {
  let world: World;
  let mailbox: Mailbox;
  let agent: Agent;
  let shop: Shop;
  let admin: SqlPool;
  before(async () => {
    mailbox = await openMailbox();
    mailbox.unknown.add(closed);
    world = await createWorld({ SMTP_URL: mailbox.url, NOTIFICATION_RECIPIENTS: 'known' });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    agent = await hireAgent(world, owner, 'studio');
    shop = await openShop(agent, ['https://fjord-bikes.example'], [owner, desk, closed]);
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await admin.close();
    await world[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
  });

  const eventually = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await sleep(25);
    }
  };
  const submit = async (): Promise<string> => {
    const storefront = createStorefront({ baseUrl: world.server.addresses.storefront, sdkKey: shop.key });
    const data = { full_name: 'Ada Lovelace', email: 'ada@example.com', consent: true };
    return (await storefront.submit(shop.formId, data)).submissionId;
  };
  const toldOf = (submissionId: string): string[] =>
    mailbox.emails.filter(({ body }) => body.includes(submissionId)).flatMap(({ to }) => to);
  /** Once the owner has been told, whoever else is told has an email that waits or went: they are written together. */
  const tellingsOf = async (submissionId: string): Promise<string[]> => {
    await eventually(() => (toldOf(submissionId).includes(owner) ? true : undefined));
    await eventually(async () => {
      const waiting = await admin.query(sql`select from mail.letter where state = 'queued'`);
      return waiting.length === 0 ? true : undefined;
    });
    return toldOf(submissionId).toSorted();
  };
  const recipients = async (): Promise<Record<string, Json>> => {
    const { status, body } = await world.call(
      `${world.server.addresses.studio}/api/forms/${shop.formId}/recipients`,
      agent,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return Object.fromEntries((body['items'] as unknown as Json[]).map((one) => [String(one['address']), one]));
  };
  const page = async (url: string, init?: RequestInit): Promise<{ status: number; text: string; headers: Headers }> => {
    const answer = await fetch(url, init);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const linkIn = ({ body }: Email, kind: string): string =>
    new RegExp(`${world.server.addresses.studio}/letters/${kind}/[A-Za-z0-9_-]+`).exec(body)?.[0] ?? 'no link';
  const endOf = ({ head }: Email): string =>
    /^List-Unsubscribe: <([^>]+)>/m.exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1] ?? 'no address';

  test('a stranger is asked by our words alone, and told of nothing before a button was pressed', async () => {
    const asked = await eventually(() => mailbox.emails.find(({ to }) => to.includes(desk)));
    assert.match(asked.head, /^Subject: Do you want letters about a form\?\r?$/m);
    assert.ok(!/Online shop|Ask us|fjord/i.test(asked.body + asked.head.replaceAll(/^(?:List|Message)-.*$/gm, '')));
    assert.deepEqual(await tellingsOf(await submit()), [owner]);

    const called = await world.call(`${world.server.addresses.mcp}/p/studio`, {
      ...agent,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_retry_form_recipient', arguments: { form_id: shop.formId, address: desk } },
      },
    });
    assert.match(JSON.stringify(called.body), /was asked to confirm at \d{4}-[^"]*once a day at most/);
    const link = linkIn(asked, 'confirm');
    const seen = await page(link);
    assert.equal(seen.status, 200);
    assert.match(seen.text, /Online shop/, 'the page says whose it is');
    assert.match(seen.headers.get('content-security-policy') ?? '', /^default-src 'none'.*form-action 'self'/);
    assert.deepEqual(
      ['cache-control', 'x-robots-tag', 'referrer-policy'].map((name) => seen.headers.get(name)),
      ['no-store', 'noindex, nofollow, noarchive', 'no-referrer'],
      'the address is the secret',
    );
    assert.equal((await fetch(link, { method: 'HEAD' })).status, 200);
    assert.equal((await recipients())[desk]?.['standing'], 'unconfirmed', 'looking changes nothing');

    for (const wrong of [`${link.slice(0, -2)}AA`, link.replace('/confirm/', '/unsubscribe/'), `${link}A`]) {
      const answer = await page(wrong, { method: 'POST' });
      assert.deepEqual([answer.status, /leads nowhere/.test(answer.text)], [404, true], wrong);
    }
    assert.equal((await recipients())[desk]?.['standing'], 'unconfirmed');

    const pressed = await page(link, { method: 'POST', body: new URLSearchParams() });
    assert.deepEqual([pressed.status, /is confirmed/.test(pressed.text)], [200, true]);
    assert.equal((await recipients())[desk]?.['standing'], 'confirmed');
    const id = await submit();
    assert.deepEqual(await tellingsOf(id), [desk, owner]);
    const email = mailbox.emails.find(({ to, body }) => to.includes(desk) && body.includes(id));
    assert.ok(
      email?.body.includes(`${world.server.addresses.portal}/submissions/${id}`),
      'a page, and no address of the API',
    );
    assert.match(email?.head ?? '', /^Subject: =\?UTF-8\?Q\?New_submission=3A_Ask_us/m, 'as a member is told');
  });

  test('one request of a mail program ends them, the tenant sees it, and only the reader takes it back', async () => {
    const id = await submit();
    await tellingsOf(id);
    const email = await eventually(() => mailbox.emails.find(({ to, body }) => to.includes(desk) && body.includes(id)));
    assert.match(email.head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const address = endOf(email);
    assert.match((await page(address)).text, /End these letters\?/);
    assert.equal((await recipients())[desk]?.['unsubscribedAt'], null, 'looking changes nothing');
    // As RFC 8058 §3.2 has it: a form of several parts, without a cookie, and no redirect followed.
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    assert.equal((await fetch(address, { method: 'POST', body, redirect: 'error' })).status, 200);
    const long = new URLSearchParams({ x: 'x'.repeat(5_000) });
    assert.equal((await fetch(address, { method: 'POST', body: long })).status, 413);
    const after = (await recipients())[desk];
    assert.deepEqual([after?.['told'], typeof after?.['unsubscribedAt']], [false, 'string']);
    assert.deepEqual(await tellingsOf(await submit()), [owner]);
    await assert.rejects(
      agent.call('service_retry_form_recipient', { form_id: shop.formId, address: desk }),
      /recipient_unsubscribed/,
    );
    assert.match((await page(address)).text, /I want them again/);
    assert.match((await page(`${address}/undo`, { method: 'POST' })).text, /<h1>These letters are on again/);
    assert.deepEqual(await tellingsOf(await submit()), [desk, owner]);
    // Each change stands in the tenant's log: whoever has a link does not fill it.
    const answers: number[] = [];
    for (let round = 0; round < 30; round += 1)
      answers.push((await fetch(`${address}${round % 2 === 0 ? '' : '/undo'}`, { method: 'POST' })).status);
    const stopped = answers.indexOf(429);
    assert.ok(stopped > 20, answers.join(' '));
    assert.deepEqual(new Set(answers.slice(0, stopped)), new Set([200]));
    assert.deepEqual(new Set(answers.slice(stopped)), new Set([429]));
    assert.equal((await fetch(address)).status, 200, 'looking is no change');
  });

  test('the page behind an email reads what was submitted by the names of its fields, for members alone', async () => {
    const { portal } = world.server.addresses;
    const id = await submit();
    const { status, body } = await world.call(`${portal}/api/submissions/${id}`, agent);
    assert.equal(status, 200, JSON.stringify(body));
    const answers = body['answers'] as unknown as { label: string; value: unknown }[];
    assert.deepEqual(
      answers.slice(0, 3).map(({ label, value }) => [label, value]),
      [
        ['Your name', 'Ada Lovelace'],
        ['E-mail', 'ada@example.com'],
        ['Topic', null],
      ],
    );
    assert.deepEqual([body['form']?.['name'], body['contact']?.['email']], ['Ask us', 'ada@example.com']);
    const list = await world.call(`${portal}/api/forms/${shop.formId}/submissions?limit=1`, agent);
    assert.equal((list.body['items'] as unknown as Json[])[0]?.['submissionId'], id);
    const { tenant, token } = await world.signUp('mallory@example.com');
    for (const path of [`submissions/${id}`, `forms/${shop.formId}/submissions`]) {
      assert.equal((await world.call(`${portal}/api/${path}`, { token, tenant })).status, 404, path);
      assert.equal((await world.call(`${portal}/api/${path}`, { token, tenant: agent.tenant })).status, 403, path);
      assert.equal((await world.call(`${portal}/api/${path}`, { tenant })).status, 401, path);
    }
    // The page is the same for whoever opens it, whether there is such a submission or not.
    const shown = await page(`${portal}/submissions/${id}`);
    assert.equal(shown.text, (await page(`${portal}/submissions/${shop.formId}`)).text);
    assert.ok(!shown.text.includes('Lovelace'));
    assert.equal((await page(`${portal}/submissions/x`)).status, 404);
  });

  test('an address that a mail server refused is told to the tenant and left alone until a member tries it again', async () => {
    const refused = await eventually(async () => {
      const { recipients: found } = await agent.call('service_list_form_recipients', { form_id: shop.formId });
      return (found as unknown as Json[]).find(
        (one) => String(one['address']) === closed && String(one['stopped_at']) !== 'null',
      );
    });
    assert.equal(String(refused['last_refusal']?.['reason']), 'smtp_550');
    const events = await world.call(
      `${world.server.addresses.accounting}/api/audit/events?type=studio.recipient.refused`,
      agent,
    );
    assert.equal((events.body['items'] as unknown as Json[]).length, 1, JSON.stringify(events.body));
    mailbox.unknown.delete(closed);
    const { recipient } = await agent.call('service_retry_form_recipient', { form_id: shop.formId, address: closed });
    assert.equal(recipient?.['stopped_at'], null);
  });

  test('an email that came back is noted by its Message-ID, as the operator’s mailbox has it, and once', async () => {
    const { head } = await eventually(() => mailbox.emails.find(({ to }) => to.includes(desk)));
    const messageId = /^Message-ID: (<[^>]+>)/im.exec(head)?.[1] ?? 'no id';
    const { db, dataDir } = world;
    const env = { ...surroundings, DATABASE_URL: db.appUrl, DATABASE_OWNER_URL: db.ownerUrl, DATA_DIR: dataDir };
    const bounced = async (id: string): Promise<string> =>
      run(
        process.execPath,
        [fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url)), 'mail', 'bounced', id],
        { env },
      ).then(
        ({ stdout }) => stdout,
        ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout}`,
      );
    assert.match(await bounced(messageId), /^Noted\./);
    assert.match(await bounced(messageId), /^1 There is no such letter/);
    assert.match(await bounced(desk), /^2 /, 'an address is no email');
  });

  test('an email to approvers names what it is about, says what is for good, and leads nowhere but to the page', async () => {
    const call = async (pillar: string, name: string, args: object, token = agent.token): Promise<Json> => {
      const url = `${world.server.addresses.mcp}/t/${agent.tenant}/p/${pillar}`;
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return (await world.call(url, { token, body })).body['result']?.['structuredContent'] ?? {};
    };
    const emailOf = async (asked: Json): Promise<Email> => {
      const id = String(asked['pending_action_id']);
      assert.match(id, /^[0-9a-f-]{36}$/, JSON.stringify(asked));
      const found = await eventually(() => mailbox.emails.find(({ body }) => body.includes(`/approvals/${id}`)));
      assert.deepEqual(found.to, [owner]);
      assert.deepEqual(found.body.match(/https?:\/\/\S+|www\.\S+|\S+@\S+/g), [
        `${world.server.addresses.portal}/approvals/${id}`,
      ]);
      return found;
    };
    const name = 'Mallory, pay at http://evil.example or www.evil.example, boss@evil.example';
    const party = await call('accounting', 'service_create_party', { name, supplier: true });
    const payment = await emailOf(
      await call('accounting', 'service_record_payment', {
        direction: 'made',
        party_id: String(party['data']?.['party']?.['id']),
        account: '1000',
        date: '2026-03-01',
        currency: 'USD',
        amount: '900.00',
        reference: 'Words of the agent',
      }),
    );
    assert.match(payment.body, /Amount: 900\.00 USD/);
    assert.match(payment.body, /^ {4}customer or supplier: Mallory, pay at http\[:\]\/\/evil\[\.\]example or/m);
    assert.match(payment.body, /^ {4}account: /m);
    assert.ok(!/Mallory|evil|900/.test(payment.head) && !payment.body.includes('Words of the agent'));
    assert.ok(!/NEVER BE TAKEN BACK/.test(payment.body));

    const { body: client } = await world.call(`${world.server.addresses.issuer}/register`, {
      body: {
        client_name: `Owner\n    agent: \u202Eboss@evil.example ${'W'.repeat(200)}`,
        redirect_uris: ['https://ok.example/back'],
      },
    });
    const id = String(client['client_id']);
    const named = await emailOf(
      await call(
        'accounting',
        'service_post_journal_entry',
        {
          date: '2026-03-01',
          currency: 'USD',
          narration: 'By a client with a name',
          lines: [
            { account: '6950', debit: '85.00' },
            { account: '1590', credit: '85.00' },
          ],
        },
        await world.token({ user: owner, agent: id }),
      ),
    );
    const [said = '', ...more] = named.body.split(/\r?\n/).filter((line) => line.startsWith('    agent: '));
    assert.deepEqual(more, [], named.body);
    assert.match(said, /^ {4}agent: Owner agent: boss\[at\]evil\[\.\]example W+\S+ \(/);
    assert.ok(said.endsWith(` (${id})`), said);

    const { data } = await call('crm', 'service_upsert_contact', { name: 'Ada Lovelace', email: 'ada2@example.com' });
    const contact_id = String(data?.['contact']?.['id']);
    const erasing = await emailOf(await call('crm', 'service_erase_contact', { contact_id, reason: 'requested' }));
    assert.match(erasing.body, /^ {4}contact: Ada Lovelace/m);
    assert.match(erasing.body, /ONCE APPROVED, THIS CANNOT BE UNDONE/);

    const spoken = {
      de: [
        /^ {4}Kunde oder Lieferant: Grace$/m,
        /^ {4}Datum: 2026-03-01$/m,
        /^Betrag: 5\.00 USD$/m,
        /^Ein Agent bittet um Freigabe: „Eine Zahlung erfassen“ /m,
        /^Es läuft ab: \p{L}+, \d+\. \p{L}+ 20\d\d/mu,
      ],
      es: [
        /^ {4}Cliente o proveedor: Grace$/m,
        /^ {4}Fecha: 2026-03-01$/m,
        /^Importe: 5\.00 USD$/m,
        /^Un agente pide aprobación: «\p{L}/mu,
        /^Caduca: \p{L}+, \d+ de \p{L}+ de 20\d\d/mu,
      ],
      ja: [
        /^ {4}取引先: Grace$/m,
        /^ {4}日付: 2026-03-01$/m,
        /^金額：5\.00 USD$/m,
        /^エージェントが承認を求めています：「[^a-z]+」/m,
        /^期限：20\d\d年\d+月\d+日/mu,
      ],
    };
    const grace = await call('accounting', 'service_create_party', { name: 'Grace', supplier: true });
    for (const [language, wanted] of Object.entries(spoken)) {
      const set = await world.call(`${world.server.addresses.accounting}/graphql`, {
        token: await world.token({ user: owner, approver: true }),
        tenant: agent.tenant,
        body: { query: `mutation { updateSeller(language: ${language}) { language } }` },
      });
      assert.equal(String(set.body['data']?.['updateSeller']?.['language']), language, JSON.stringify(set.body));
      const { head, body } = await emailOf(
        await call('accounting', 'service_record_payment', {
          direction: 'made',
          party_id: String(grace['data']?.['party']?.['id']),
          account: '1000',
          date: '2026-03-01',
          currency: 'USD',
          amount: '5.00',
        }),
      );
      for (const one of wanted) assert.match(body, one);
      assert.doesNotMatch(head + body, /Approval needed|asks|customer or supplier|Amount|expires/);
    }
  });
});
