import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createWorld,
  hireAgent,
  openMailbox,
  openShop,
  type Agent,
  type Mailbox,
  type Shop,
  type World,
} from '@steward/conformance/world';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const thanks = 'Thank you. Your form has been sent.';

if (executablePath !== '') {
  describe('a published form in a browser', () => {
    let world: World;
    let mailbox: Mailbox;
    let agent: Agent;
    let shop: Shop;
    let browser: Browser;
    let site: Server;
    let siteOrigin: string;
    let script: string;
    let requests: string[];
    /** What was answered when a visitor began to fill a form in. */
    let starts: number[];
    let faults: string[];

    before(async () => {
      site = createServer((request, response) => {
        const { searchParams } = new URL(request.url ?? '', siteOrigin);
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(`<!doctype html><html lang="de"><title>Laden</title><link rel="icon" href="data:,">
          <script type="module" src="${searchParams.get('sdk')}"></script>
          <main><storefront-form form-id="${searchParams.get('form')}" sdk-key="${searchParams.get('key')}"></storefront-form></main>`);
      });
      await new Promise<void>((resolve) => {
        site.listen(0, '127.0.0.1', resolve);
      });
      siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      mailbox = await openMailbox();
      world = await createWorld({ SMTP_URL: mailbox.url });
      const { addresses } = world.server;
      script = `${addresses.storefront}/sdk.js`;
      agent = await hireAgent(world, 'owner@example.com');
      shop = await openShop(agent, [new URL(addresses.commerce).origin, siteOrigin], ['desk@example.com']);
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    beforeEach(() => {
      requests = [];
      starts = [];
      faults = [];
    });
    after(async () => {
      await browser.close();
      await agent[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await mailbox[Symbol.asyncDispose]();
      site.closeAllConnections();
      site.close();
    });

    const open = async (url: string): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.endsWith('/start')) starts.push(response.status());
        else if (pathname.includes('/forms/'))
          requests.push(`${response.request().method()} ${pathname.split('/').at(-1)} ${response.status()}`);
      });
      await page.goto(url);
      return page;
    };
    const ofSite = ({ formId, key } = shop, sdk = script): string =>
      `${siteOrigin}/?${new URLSearchParams({ form: formId, key, sdk })}`;
    const stored = async (): Promise<Record<string, unknown>[]> => {
      const { submissions } = await agent.call('service_list_form_submissions', { form_id: shop.formId });
      return submissions as unknown as Record<string, unknown>[];
    };
    const accessible = async (page: Page): Promise<void> => {
      const violations = (await page.evaluate(
        `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id }) => id))`,
      )) as string[];
      assert.deepEqual(violations, []);
    };

    test('the example page asks which form, shows it, and sends it by keyboard alone', async () => {
      const page = await open(`${world.server.addresses.commerce}/example`);
      const { keyboard } = page;
      await accessible(page);
      await keyboard.press('Tab');
      await keyboard.type(shop.formId);
      await keyboard.press('Tab');
      await keyboard.type(shop.key);
      await keyboard.press('Enter');
      await page.getByLabel('Your name').waitFor();
      assert.deepEqual(requests, ['GET schema 200'], 'one request for the form');
      await accessible(page);
      for (const typed of ['Ada Lovelace', 'ada@example.com', 'Rep', 'A wheel is loose.']) {
        await keyboard.press('Tab');
        await keyboard.type(typed);
      }
      await keyboard.press('Tab');
      await keyboard.press('Space');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByText(thanks).waitFor();
      const [submission] = await stored();
      assert.deepEqual(submission?.['data'], {
        full_name: 'Ada Lovelace',
        email: 'ada@example.com',
        topic: 'Repairs',
        message: 'A wheel is loose.',
        consent: true,
      });
      await page.getByText(`storefront-success: ${String(submission?.['submission_id'])}`).waitFor();
      assert.deepEqual(requests, ['GET schema 200', 'POST submit 201']);
      assert.deepEqual(starts, [204], 'told once');
      const { contacts } = await agent.call('service_search_contacts', { email: 'ada@example.com' });
      const [contact] = contacts as unknown as Record<string, unknown>[];
      assert.deepEqual([contact?.['id'], contact?.['name']], [submission?.['contact_id'], 'Ada Lovelace']);
      const told = (): boolean =>
        mailbox.emails.some(({ body }) => body.includes(String(submission?.['submission_id'])));
      while (!told()) await sleep(25);
      assert.deepEqual(faults, []);
    });

    test('the example page says what is wrong with a key or an id, and has it mended there', async () => {
      const { commerce } = world.server.addresses;
      const page = await open(`${commerce}/example?form=${shop.formId}&key=${shop.key.slice(0, -1)}`);
      await page.getByText(/^storefront-error: invalid_sdk_key: .*checksum/).waitFor();
      assert.equal(await page.getByLabel('Form id').inputValue(), shop.formId);
      await accessible(page);
      await page.getByLabel('SDK key').fill(shop.key);
      await page.getByRole('button', { name: 'Show the form' }).click();
      await page.getByLabel('Your name').waitFor();
      assert.equal(await page.getByLabel('SDK key').isVisible(), false);
      await page.getByText(/^storefront-ready/).waitFor();
      assert.equal(await page.getByLabel('SDK key').isVisible(), false);
    });

    test('a page of another allowed origin needs a script element and an element, and no address', async () => {
      const before = (await stored()).length;
      const page = await open(ofSite());
      await page.getByLabel('Your name').fill('Grace');
      await page.getByLabel('E-mail').fill('grace@example.com');
      await page.getByLabel('You may write to me').check();
      await page.getByRole('button', { name: 'Absenden' }).dblclick();
      await page.getByText('Vielen Dank').waitFor();
      assert.equal((await stored()).length, before + 1);
      await page.reload();
      await page.getByLabel('Your name').waitFor();
      const metrics = await (await fetch(`${world.server.internalUrl}/metrics`)).text();
      const answered = (method: string, status: number): string | undefined =>
        new RegExp(`_count{method="${method}",route="[^"]*/schema",status="${status}"} (\\d+)`).exec(metrics)?.[1];
      assert.equal(answered('GET', 304), '1', 'the browser asks whether what it has is current');
      assert.equal(answered('OPTIONS', 204), '1', 'and for leave only once');
      assert.deepEqual(faults, []);
    });

    test('what the contact schema refuses is said beside the field, and mended there, also where the script has the shop in it', async () => {
      const page = await open(ofSite(shop, script.replace('sdk.js', 'all.js')));
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('E-mail').fill(`ada@${'x'.repeat(64)}.com`);
      await page.getByLabel('You may write to me').check();
      await page.getByLabel('Your name').press('Enter');
      await page.getByRole('link', { name: /^E-mail: Bitte eine E-Mail-Adresse/ }).click();
      const field = page.getByLabel('E-mail');
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await field.fill('ada@example.com');
      await field.press('Enter');
      await page.getByText('Vielen Dank').waitFor();
      assert.deepEqual(requests.slice(1), ['POST submit 400', 'POST submit 201']);
    });

    test('a form published anew while the page stands is taken up with what was typed', async () => {
      const { form } = await agent.call('service_create_form', {
        site_id: shop.siteId,
        name: 'Rent',
        fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' }],
      });
      const formId = String(form?.['id']);
      await agent.call('service_publish_form', { form_id: formId });
      const page = await open(ofSite({ ...shop, formId }));
      await page.getByLabel('E-mail').fill('ada@example.com');
      await agent.call('service_update_form', {
        form_id: formId,
        fields: [
          { name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
          { name: 'size', label: 'Frame size', type: 'number', required: true },
        ],
      });
      await agent.call('service_publish_form', { form_id: formId });
      await page.getByRole('button').click();
      await page.getByRole('link', { name: 'Frame size: Bitte ausfüllen.' }).click();
      await page.keyboard.type('54');
      await page.keyboard.press('Enter');
      await page.getByText('Vielen Dank').waitFor();
      const { submissions } = await agent.call('service_list_form_submissions', { form_id: formId });
      const [one] = submissions as unknown as Record<string, unknown>[];
      assert.deepEqual([one?.['form_version'], one?.['data']], [2, { email: 'ada@example.com', size: 54 }]);
    });

    test('too many requests are said with the seconds to wait, also to a page of another origin', async () => {
      const busy = await world.another({ STOREFRONT_PER_KEY_PER_MINUTE: '2' });
      const page = await open(ofSite(shop, `${busy.addresses.storefront}/sdk.js`));
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('E-mail').fill(`ada@${'x'.repeat(64)}.com`);
      await page.getByLabel('You may write to me').check();
      const send = page.getByRole('button', { name: 'Absenden' });
      await send.click();
      await page.getByRole('link', { name: /^E-mail/ }).waitFor();
      await send.click();
      const alert = page.getByRole('alert').filter({ hasText: 'Zu viele Anfragen' });
      await alert.waitFor();
      const seconds = Number(/in (\d+) Sekunden/.exec(await alert.innerText())?.[1]);
      assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
      assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada');
      await busy.kill();
    });

    test('pages of an origin that is not allowed, and a key that was revoked, get no form', async () => {
      const other = siteOrigin.replace('127.0.0.1', 'localhost');
      const foreign = await open(ofSite().replace(siteOrigin, other));
      await foreign.getByRole('button', { name: 'Erneut versuchen' }).waitFor();
      const { site: made } = await agent.call('service_create_site', { name: 'Old shop', origins: [siteOrigin] });
      const { sdk_key: issued } = await agent.call('service_issue_sdk_key', { site_id: String(made?.['id']) });
      const unknown = await open(ofSite({ ...shop, key: String(issued?.['key']) }));
      await unknown.getByText('Dieses Formular ist nicht verfügbar.').waitFor();
      assert.deepEqual(requests.slice(-1), ['GET schema 404'], 'a key of another site finds nothing');

      await using hands = await hireAgent(world, 'owner@example.com', 'studio');
      const { sdk_key: ending } = await agent.call('service_issue_sdk_key', { site_id: shop.siteId });
      const page = await open(ofSite({ ...shop, key: String(ending?.['key']) }));
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.getByLabel('You may write to me').check();
      await hands.call('service_revoke_sdk_key', { site_id: shop.siteId, key_id: String(ending?.['id']) });
      await page.getByRole('button', { name: 'Absenden' }).click();
      await page.getByText('Dieses Formular ist nicht verfügbar. Ihre Eingaben sind noch da.').waitFor();
      assert.deepEqual(requests.slice(-1), ['POST submit 401']);
    });
  });
}
