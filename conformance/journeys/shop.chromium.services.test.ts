import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createWorld, openStore, type Sold, type World } from '@steward/conformance/world';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '') {
  describe('a shop in a browser', () => {
    let world: World;
    let store: Sold;
    let browser: Browser;
    let faults: string[];
    before(async () => {
      world = await createWorld({ STOREFRONT_PER_KEY_PER_MINUTE: '10000', STOREFRONT_PER_IP_PER_MINUTE: '10000' });
      store = await openStore(world);
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    beforeEach(() => {
      faults = [];
    });
    after(async () => {
      await browser.close();
      await world[Symbol.asyncDispose]();
    });

    const address = (more = ''): string => `${world.server.addresses.commerce}/example/shop?key=${store.key}${more}`;
    const open = async (
      more = '',
      { script = 'shop.js', ...options }: BrowserContextOptions & { readonly script?: string } = {},
    ): Promise<Page> => {
      const page = await (await browser.newContext({ locale: 'en-DE', ...options })).newPage();
      if (script !== 'shop.js') {
        const bytes = await (await fetch(`${world.server.addresses.storefront}/${script}`)).text();
        await page.route('**/shop.js', async (route) => route.fulfill({ contentType: 'text/javascript', body: bytes }));
      }
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await page.goto(address(more));
      return page;
    };
    const accessible = async (page: Page, state: string): Promise<void> => {
      const violations = (await page.evaluate(
        `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
      )) as string[];
      assert.deepEqual(violations, [], state);
    };
    const fits = async (page: Page, state: string): Promise<void> =>
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth <= globalThis.innerWidth),
        true,
        `${state} fits`,
      );
    const add = async (page: Page, handle: string): Promise<void> => {
      await page.goto(address(`&product=${handle}`));
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.getByRole('link', { name: 'View cart' }).waitFor();
    };

    for (const [where, options] of [
      ['on a phone', { viewport: { width: 390, height: 844 } }],
      [
        'on a desk in dark colours, by the script that has forms in it',
        { viewport: { width: 1280, height: 900 }, colorScheme: 'dark', script: 'all.js' },
      ],
    ] as const)
      test(`${where}, products are found, chosen and gathered, accessibly and without scrolling sideways`, async () => {
        const page = await open('', options);
        await page.getByRole('link', { name: /Linen shirt/ }).waitFor();
        await accessible(page, 'products');
        await fits(page, 'products');
        await page.getByRole('searchbox', { name: 'Search products' }).fill('mug');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: /Linen shirt/ }).waitFor({ state: 'detached' });
        await page.getByRole('link', { name: /Stoneware mug/ }).waitFor();
        assert.deepEqual(await page.locator('storefront-products [part=title]').allTextContents(), ['Stoneware mug']);
        await page.getByRole('searchbox').fill('nothing like it');
        await page.keyboard.press('Enter');
        await page.getByText('Nothing found.').waitFor();
        await page.getByRole('searchbox').fill('');
        await page.keyboard.press('Enter');

        await page.getByRole('link', { name: /Linen shirt/ }).click();
        await page.getByRole('heading', { name: 'Linen shirt', level: 1 }).waitFor();
        await accessible(page, 'a product');
        await fits(page, 'a product');
        const description = page.locator('[part=description]');
        assert.equal(await description.locator('strong').textContent(), 'linen');
        assert.equal(await description.locator('b').count(), 0, 'HTML is text');
        assert.deepEqual(
          await description.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
          ['https://example.com'],
        );
        const price = page.locator('[part=details] [part=price]');
        assert.equal(await price.textContent(), '€49.00');
        await page.getByRole('radio', { name: 'L', exact: true }).check();
        assert.equal(await price.textContent(), '€52.00');
        await page.getByRole('spinbutton', { name: 'Quantity: Linen shirt' }).fill('5');
        await page.keyboard.press('Tab');
        await page.getByRole('radio', { name: 'M', exact: true }).check();
        assert.equal(await price.textContent(), '€44.00', 'the price of five');
        await page.getByRole('button', { name: 'Add to cart' }).click();
        await page.getByRole('link', { name: 'View cart' }).click();

        const total = page.locator('[part~=total] dd');
        await total.waitFor();
        assert.equal(await total.textContent(), '€220.00');
        await accessible(page, 'a cart');
        await fits(page, 'a cart');
        await page.getByRole('button', { name: 'One fewer: Linen shirt' }).click();
        await page.getByText('€196.00').first().waitFor();
        await page.getByRole('textbox', { name: 'Discount code' }).fill('welcome');
        await page.keyboard.press('Enter');
        await page.getByText('€186.00').first().waitFor();
        await page.getByRole('textbox', { name: 'Discount code' }).fill('none');
        await page.getByRole('button', { name: 'Apply' }).click();
        await page.getByText('There is no such code.').waitFor();
        await accessible(page, 'a cart with a message');
        await page.getByRole('button', { name: 'Remove: Linen shirt' }).click();
        await page.getByText('Your cart is empty.').first().waitFor();
        await accessible(page, 'an empty cart');
        assert.deepEqual(faults, []);
      });

    for (const [where, viewport] of [
      ['on a phone', { width: 390, height: 844 }],
      ['on a desk', { width: 1280, height: 900 }],
    ] as const)
      test(`${where}, products are narrowed by what they have, by keyboard, and counts follow`, async () => {
        const facets = encodeURIComponent('option:Colour,option:Size,vendor=Maker,available');
        const page = await open(`&facets=${facets}`, { viewport });
        const titles = page.locator('storefront-products [part=title]');
        await page.getByRole('link', { name: /Linen shirt/ }).waitFor();
        const { keyboard } = page;
        const focused = page.locator('storefront-products :focus');
        const panel = page.locator('details');
        await page.getByRole('searchbox').focus();
        await keyboard.press('Tab');
        assert.equal(await focused.textContent(), 'Filter');
        assert.equal(await panel.evaluate((one) => (one as HTMLDetailsElement).open), viewport.width > 640);
        if (viewport.width < 640) await keyboard.press('Enter');
        await keyboard.press('Tab');
        const sand = page.getByRole('group', { name: 'Colour' }).getByRole('checkbox', { name: 'Sand (1)' });
        for (let presses = 0; presses < 5 && !(await sand.evaluate((one) => one.matches(':focus'))); presses += 1)
          await keyboard.press('Tab');
        await keyboard.press('Space');
        await page.getByRole('link', { name: /Stoneware mug/ }).waitFor({ state: 'detached' });
        await page.getByRole('link', { name: /Linen shirt/ }).waitFor();
        assert.deepEqual(await titles.allTextContents(), ['Linen shirt']);
        assert.equal(await sand.evaluate((one) => one.matches(':focus')), true, 'the focus stays');
        await page.getByRole('status').filter({ hasText: 'Products: 1' }).waitFor({ state: 'attached' });
        await page.getByRole('group', { name: 'Maker' }).getByRole('checkbox', { name: 'Fjord & Sons (1)' }).waitFor();
        // Two presses one after the other, faster than answers come.
        await page.getByRole('checkbox', { name: 'M (1)' }).check();
        await page.getByRole('group', { name: 'Availability' }).getByRole('checkbox', { name: 'In stock (1)' }).check();
        await page.getByText('Filter (3)').waitFor();
        assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 3);
        await accessible(page, 'filters');
        await fits(page, 'filters');
        await page.getByRole('searchbox').fill('mug');
        await keyboard.press('Enter');
        await page.getByText('Nothing found.').waitFor();
        assert.equal(await page.getByRole('checkbox', { name: 'Sand (0)' }).isChecked(), true, 'what is chosen stays');
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await page.getByRole('link', { name: /Stoneware mug/ }).waitFor();
        assert.equal(await focused.textContent(), 'Filter');
        assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
        await page.goto(address(`&facets=${facets}&lang=es`));
        const filters = page.getByText('Filtros', { exact: true });
        await filters.waitFor();
        if (viewport.width < 640) await filters.click();
        await page.getByRole('group', { name: 'Disponibilidad' }).waitFor();
        assert.deepEqual(faults, []);
      });

    test('what is sold out is said, and a page in German speaks German', async () => {
      await store.count(store.variants.get('Last stool') ?? '', 0);
      const page = await open('&product=last-stool&lang=de');
      const button = page.getByRole('button', { name: 'Ausverkauft' });
      await button.waitFor();
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      await button.click({ force: true });
      await page.goto(address('&view=cart&lang=de'));
      await page.getByText('Ihr Warenkorb ist leer.').first().waitFor();
      await page.goto(address('&lang=de'));
      await page.getByText('Ab 49,00').waitFor();
      assert.deepEqual(faults, []);
    });

    test('a page that says no language has the visitor’s, and each attribute narrows what it lists', async () => {
      for (const script of ['shop.js', 'all.js'])
        for (const [attribute, value] of [
          ['tag', 'table'],
          ['type', 'Crockery'],
          ['query', 'mug'],
        ]) {
          const page = await (await browser.newContext({ locale: 'de-DE' })).newPage();
          page.setDefaultTimeout(20_000);
          page.on('pageerror', (error) => faults.push(String(error)));
          const own = new URL('/own', world.server.addresses.commerce).href;
          const body =
            `<!doctype html><title>Own</title><script type="module" src="${world.server.addresses.storefront}/${script}"></script>` +
            `<storefront-products sdk-key="${store.key}" search ${attribute}="${value}"></storefront-products>`;
          await page.route(own, async (route) => route.fulfill({ contentType: 'text/html', body }));
          await page.goto(own);
          await page.getByRole('searchbox', { name: 'Produkte suchen' }).waitFor();
          await page.getByRole('link', { name: /Stoneware mug/ }).waitFor();
          assert.deepEqual(
            await page.locator('storefront-products [part=title]').allTextContents(),
            ['Stoneware mug'],
            `${script} ${attribute}`,
          );
          await page.close();
        }
      assert.deepEqual(faults, []);
    });

    test('by keyboard alone, a product is found, chosen and put into the cart', async () => {
      const page = await open();
      await page.getByRole('link', { name: /Linen shirt/ }).waitFor();
      const { keyboard } = page;
      const focused = async (): Promise<string> =>
        page.evaluate(() => {
          let active = document.activeElement;
          while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
          return active?.id ?? '';
        });
      const tabTo = async (id: string): Promise<void> => {
        for (let presses = 0; presses < 30 && (await focused()) !== id; presses += 1) await keyboard.press('Tab');
        assert.equal(await focused(), id);
      };
      await tabTo('product-linen-shirt');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Linen shirt', level: 1 }).waitFor();
      await tabTo('option-0-0');
      await keyboard.press('ArrowRight');
      assert.equal(await focused(), 'option-0-1', 'the focus stays where a choice was made');
      await tabTo('quantity-more');
      await keyboard.press('Enter');
      await tabTo('add');
      await keyboard.press('Space');
      const cart = page.getByRole('link', { name: 'View cart' });
      await cart.waitFor();
      assert.equal(await focused(), 'add');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByText('Indigo · M').waitFor();
      assert.equal(await page.getByRole('spinbutton', { name: 'Quantity: Linen shirt' }).inputValue(), '2');
      assert.deepEqual(faults, []);
    });

    test('the cart is one in all windows of the browser', async () => {
      const page = await open('&view=cart');
      await page.getByText('Your cart is empty.').first().waitFor();
      const other = await page.context().newPage();
      await add(other, 'stoneware-mug');
      await page.getByText('€18.00').first().waitFor();
    });

    test('a product that is not there, and a key that nobody has, are said', async () => {
      const page = await open('&product=nothing');
      await page.getByText('This product is not available.').waitFor();
      await page.goto(`${world.server.addresses.commerce}/example/shop?key=pk_test_wrong`);
      await page.getByText('This shop is not available.').waitFor();
      await page.getByText(/^invalid_sdk_key: .*checksum/).waitFor();
      await accessible(page, 'a failure');
      await page.getByLabel('SDK key').fill(store.key);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('Stoneware mug').first().waitFor();
      assert.equal(await page.getByLabel('SDK key').isVisible(), false);
    });
  });
}
