import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createWorld, hireAgent, openShop, type Agent, type Shop, type World } from '@steward/conformance/world';
import { chromium, type Browser, type Page } from 'playwright-core';
import { bundle, pages } from '../frameworks/bundle.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

/** When the SDK is there: before the page's own code, in one file with it, or after it has drawn. */
type Arrival = 'before' | 'with' | 'after';

if (executablePath !== '') {
  describe('the element in a framework', () => {
    let world: World;
    let agent: Agent;
    let shop: Shop;
    let browser: Browser;
    let site: Server;
    let siteOrigin: string;
    let requests: string[];
    let faults: string[];

    before(async () => {
      const scripts = new Map<string, string>();
      for (const path of Object.values(pages))
        for (const sdk of [true, false]) scripts.set(`/${path}?sdk=${sdk}`, await bundle(path, { sdk }));
      site = createServer((request, response) => {
        const script = scripts.get(request.url ?? '');
        if (script !== undefined) {
          response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
          return;
        }
        const { searchParams } = new URL(request.url ?? '', siteOrigin);
        const arrival = searchParams.get('arrival');
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
          ${arrival === 'before' ? `<script type="module" src="${world.server.addresses.storefront}/sdk.js"></script>` : ''}
          <body><script type="module" src="/${searchParams.get('page')}?sdk=${arrival === 'with'}"></script>`);
      });
      await new Promise<void>((resolve) => {
        site.listen(0, '127.0.0.1', resolve);
      });
      siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      world = await createWorld();
      agent = await hireAgent(world, 'owner@example.com');
      shop = await openShop(agent, [siteOrigin], []);
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    beforeEach(() => {
      requests = [];
      faults = [];
    });
    after(async () => {
      await browser.close();
      await agent[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      site.closeAllConnections();
      site.close();
    });

    const open = async (path: string, arrival: Arrival): Promise<Page> => {
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) faults.push(message.text());
      });
      page.on('request', (request) => {
        if (request.url().includes('/forms/') && !request.url().endsWith('/start'))
          requests.push(`${request.method()} ${new URL(request.url()).pathname.split('/').at(-1)}`);
      });
      const base = world.server.addresses.storefront;
      const query = new URLSearchParams({ page: path, arrival, form: shop.formId, key: shop.key, base });
      await page.goto(`${siteOrigin}/?${query}`);
      return page;
    };
    const press = async (page: Page, name: string | RegExp): Promise<void> =>
      page.getByRole('button', { name }).click();
    /** As a timer or an answer of the page's own would, without taking the focus. */
    const rerender = async (page: Page, name: string): Promise<void> =>
      page.getByRole('button', { name }).evaluate((button: HTMLButtonElement) => button.click());
    const log = async (page: Page): Promise<string[]> => page.locator('ol li').allTextContents();
    const focused = async (page: Page): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('name'));

    for (const [framework, path] of Object.entries(pages))
      describe(framework, () => {
        test('a form is filled in by keyboard alone, tells the page what happens, and becomes a contact', async () => {
          const page = await open(path, 'before');
          const { keyboard } = page;
          await page.getByText('ready', { exact: true }).waitFor();
          assert.equal(await page.getByLabel('Topic').inputValue(), 'Repairs', 'what the page gives is filled in');
          const email = `ada-${path.split('/')[0]}@example.com`;
          await press(page, 'Presence');
          await press(page, 'Presence');
          await page.getByLabel('Your name').waitFor();
          for (const typed of ['Ada Lovelace', email, 'Ren', 'A wheel is loose.']) {
            await keyboard.press('Tab');
            await keyboard.type(typed);
          }
          await keyboard.press('Tab');
          await keyboard.press('Space');
          await keyboard.press('Tab');
          await keyboard.press('Enter');
          await page.getByText('Thanks from the page, 0.').waitFor();
          const { submissions } = await agent.call('service_list_form_submissions', { form_id: shop.formId });
          const [submission] = submissions as unknown as Record<string, unknown>[];
          assert.deepEqual(submission?.['data'], {
            full_name: 'Ada Lovelace',
            email,
            topic: 'Rental',
            message: 'A wheel is loose.',
            consent: true,
            campaign: 'autumn',
          });
          const { contacts } = await agent.call('service_search_contacts', { email });
          const [contact] = contacts as unknown as Record<string, unknown>[];
          assert.deepEqual([contact?.['id'], contact?.['name']], [submission?.['contact_id'], 'Ada Lovelace']);
          assert.deepEqual(await log(page), [
            'ready',
            'ready',
            `submit ${shop.formId}`,
            `success ${String(submission?.['submission_id'])}`,
          ]);
          await press(page, 'Again');
          await page.getByText('Thanks from the page, 1.').waitFor();
          assert.deepEqual(requests, ['GET schema', 'GET schema', 'POST submit']);
          assert.deepEqual(faults, []);
        });

        test('a rerender, another language, other words and another theme leave the visitor where they were', async () => {
          const page = await open(path, 'before');
          const name = page.getByLabel('Your name');
          const element = page.locator('storefront-form');
          await name.waitFor();
          await page.getByLabel('Topic').selectOption('Rental');
          await name.fill('Ada');
          const button = page.locator('storefront-form [part=button]').first();
          const colour = async (): Promise<string> => button.evaluate((one) => getComputedStyle(one).backgroundColor);
          const plain = await colour();
          const stays = async (after: string): Promise<void> => {
            assert.equal(await name.inputValue(), 'Ada', after);
            assert.equal(await page.getByLabel(/^Topic/).inputValue(), 'Rental', after);
            assert.equal(await focused(page), 'full_name', after);
          };
          await rerender(page, 'Again');
          await page.getByText('Again: 1').waitFor();
          await stays('a rerender');
          await rerender(page, 'Language');
          await page.getByRole('button', { name: 'Absenden' }).waitFor();
          await stays('German');
          await rerender(page, 'Words');
          await page.getByRole('button', { name: 'Order' }).waitFor();
          await stays('words of the page');
          await rerender(page, 'Theme');
          assert.equal(await colour(), 'rgb(90, 0, 180)');
          await stays('a theme');
          for (const again of ['Language', 'Words', 'Theme']) await rerender(page, again);
          await page.getByRole('button', { name: 'Send' }).waitFor();
          assert.equal(await element.getAttribute('locale'), null, 'what is taken back leaves no attribute');
          assert.equal(await colour(), plain);
          await stays('all of it taken back');
          assert.deepEqual(await log(page), ['ready']);
          assert.deepEqual(requests, ['GET schema']);
          assert.deepEqual(faults, []);
        });

        test('taken away it is gone: no request, no event, nothing that holds it; brought back it begins anew', async () => {
          const page = await open(path, 'before');
          await page.getByLabel('Your name').fill('Ada');
          const weak = await page.evaluateHandle(
            () => new WeakRef(document.querySelector('storefront-form') as Element),
          );
          await press(page, 'Presence');
          // Twice, as frameworks keep what they drew last until they draw again.
          await press(page, 'Again');
          await press(page, 'Again');
          await page.requestGC();
          assert.equal(await weak.evaluate((ref) => ref.deref() === undefined), true);

          const open_ = Promise.withResolvers<undefined>();
          await page.route('**/schema', async (route) => {
            await open_.promise;
            await route.continue();
          });
          const asked = page.waitForRequest('**/schema');
          await press(page, 'Presence');
          const answered = (await asked).response();
          await press(page, 'Presence');
          open_.resolve(undefined);
          await (await answered)?.finished();
          await press(page, /^Again/);
          assert.deepEqual(await log(page), ['ready'], 'a form that comes after it was taken away is told to nobody');
          await page.unroute('**/schema');
          await press(page, 'Presence');
          await page.getByLabel('Your name').waitFor();
          assert.equal(await page.getByLabel('Your name').inputValue(), '');
          assert.deepEqual(await log(page), ['ready', 'ready']);
          assert.deepEqual(requests, ['GET schema', 'GET schema', 'GET schema']);
          assert.deepEqual(faults, []);
        });

        test('it is the same where the SDK comes in the page’s own file, and where it comes after', async () => {
          for (const arrival of ['with', 'after'] as const) {
            const page = await open(path, arrival);
            await page.getByText('Again: 0').waitFor();
            if (arrival === 'after') {
              assert.equal(await page.locator('storefront-form').evaluate((one) => one.shadowRoot), null);
              await rerender(page, 'Words');
              await page.addScriptTag({ type: 'module', url: `${world.server.addresses.storefront}/sdk.js` });
            } else await rerender(page, 'Words');
            await page.getByText('ready', { exact: true }).waitFor();
            await page.getByRole('button', { name: 'Order' }).waitFor();
            assert.equal(await page.getByLabel('Topic').inputValue(), 'Repairs', arrival);
            await rerender(page, 'Language');
            await rerender(page, 'Words');
            await page.getByRole('button', { name: 'Absenden' }).waitFor();
          }
          assert.deepEqual(faults, []);
        });
      });
  });
}
