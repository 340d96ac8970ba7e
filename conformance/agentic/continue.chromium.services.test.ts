import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createWorld, type Json, openStore, type Sold, type World } from '@steward/conformance/world';
import { publicJwk } from '@steward/http-signatures';
import { startHttps } from '@steward/testing';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const owner = 'owner@example.com';
const version = '2026-08-25';

if (executablePath !== '')
  describe('a checkout that an agent hands over to its buyer, in a browser', () => {
    let world: World;
    let store: Sold;
    let browser: Browser;
    let platform: Awaited<ReturnType<typeof startHttps>>;
    let base: string;
    let faults: string[];
    before(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      world = await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow' });
      store = await openStore(world, owner);
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      // It cannot say where goods go, so its buyer does.
      const capabilities = Object.fromEntries(['dev.ucp.shopping.checkout'].map((name) => [name, [{ version }]]));
      platform = await startHttps((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ucp: { version, capabilities }, keys: [publicJwk(privateKey)] }));
      });
      const { tenant, token } = await world.signUp(owner);
      const decider = await world.token({ user: owner, approver: true });
      const { portal, commerce } = world.server.addresses;
      const brands = await world.call(`${portal}/api/brands`, { token, tenant });
      const brandId = String((brands.body['items'] as unknown as Json[])[0]?.['id']);
      const at = `${commerce}/api/brands/${brandId}`;
      await world.call(`${at}/signing-keys`, { token: decider, tenant, body: {} });
      const opened = await world.call(`${at}/agentic-commerce`, {
        token: decider,
        tenant,
        method: 'PATCH',
        body: { protocol: 'ucp', active: true, mode: 'test' },
      });
      assert.equal(opened.status, 200, JSON.stringify(opened.body));
      base = `${commerce}/ucp/${brandId}`;
    });
    beforeEach(() => {
      faults = [];
    });
    after(async () => {
      await browser.close();
      await platform[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    });

    const asked = async (method: string, path: string, body?: unknown): Promise<Json> => {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          'ucp-agent': `profile="${platform.url}/profile"`,
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Json;
    };
    const handedOver = async (): Promise<Json> => {
      const line_items = [{ item: { id: store.variants.get('Stoneware mug') }, quantity: 1 }];
      const made = await asked('POST', '/checkout-sessions', { line_items, buyer: { email: 'ada@example.com' } });
      assert.equal(String(made['status']), 'requires_escalation', JSON.stringify(made));
      return made;
    };
    const open = async (url: string, options: BrowserContextOptions): Promise<Page> => {
      const page = await (await browser.newContext({ locale: 'en-DE', ...options })).newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await page.goto(url);
      return page;
    };
    const accessible = async (page: Page, state: string): Promise<void> => {
      const violations = (await page.evaluate(
        `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
      )) as string[];
      assert.deepEqual(violations, [], state);
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth <= globalThis.innerWidth),
        true,
        `${state} fits`,
      );
    };

    for (const [where, options] of [
      ['on a phone', { viewport: { width: 390, height: 844 } }],
      ['on a desk in dark colours', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ] as const)
      test(`${where}, is bought by the buyer, and the agent is shown the order`, async () => {
        const made = await handedOver();
        const page = await open(String(made['continue_url']), options);
        assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com', 'what the agent knew is there');
        await accessible(page, 'begun');
        await page.getByLabel('Full name').fill('Ada Lovelace');
        await page.getByLabel('Country').selectOption('DE');
        await page.getByLabel('Street and number').fill('Torstraße 1');
        await page.getByLabel('Postcode').fill('10119');
        await page.getByLabel('Town or city').fill('Berlin');
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByRole('radio', { name: /Standard/ }).waitFor();
        await accessible(page, 'with an address');
        await page.getByRole('radio', { name: 'Test: succeeds' }).check();
        await page.getByRole('button', { name: /^Buy for/ }).click();
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
        await accessible(page, 'bought');
        const shown = await asked('GET', `/checkout-sessions/${String(made['id'])}`);
        assert.equal(String(shown['status']), 'completed', JSON.stringify(shown));
        await page.reload();
        await page.getByRole('link', { name: /^See order/ }).click();
        await page.getByText('Stoneware mug').first().waitFor();
        await accessible(page, 'the order');
        assert.deepEqual(faults, []);
      });

    test('asks for a confirmation where the payment does, and says so where it is declined', async () => {
      const made = await handedOver();
      const page = await open(String(made['continue_url']), { viewport: { width: 390, height: 844 } });
      await page.getByLabel('Full name').fill('Ada Lovelace');
      await page.getByLabel('Country').selectOption('DE');
      await page.getByLabel('Street and number').fill('Torstraße 1');
      await page.getByLabel('Town or city').fill('Berlin');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('radio', { name: 'Test: is declined' }).check();
      await page.getByRole('button', { name: /^Buy for/ }).click();
      await page.getByRole('alert').first().waitFor();
      await accessible(page, 'declined');
      await page.getByRole('radio', { name: 'Test: asks to be confirmed' }).check();
      await page.getByRole('button', { name: /^Buy for/ }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
      assert.deepEqual(faults, []);
    });
  });
