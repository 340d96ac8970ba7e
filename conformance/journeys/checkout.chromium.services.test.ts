import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createWorld, hireAgent, openStore, type Sold, type World } from '@steward/conformance/world';
import { openStripe, type StripeStub } from '@steward/orders/testing';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '') {
  describe('a checkout in a browser', () => {
    let world: World;
    let store: Sold;
    let browser: Browser;
    let stripe: StripeStub;
    let faults: string[];
    before(async () => {
      stripe = await openStripe({ live: false, key: 'sk_test_1' });
      world = await createWorld({
        STOREFRONT_PER_KEY_PER_MINUTE: '10000',
        STOREFRONT_PER_IP_PER_MINUTE: '10000',
        COMMERCE_STRIPE_KEY: 'sk_test_1',
        COMMERCE_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        COMMERCE_STRIPE_WEBHOOK_SECRET: `whsec_${'0'.repeat(32)}`,
        COMMERCE_STRIPE_URL: stripe.url.origin,
      });
      store = await openStore(world);
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    beforeEach(() => {
      faults = [];
    });
    after(async () => {
      await browser.close();
      await world[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    });

    const address = (more = ''): string => `${world.server.addresses.commerce}/example/shop?key=${store.key}${more}`;
    /** The page of a product's checkout, with one of it in the cart. */
    const open = async (
      handle: string,
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
      await page.goto(address(`&product=${handle}`));
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.getByRole('link', { name: 'View cart' }).click();
      await page.getByRole('link', { name: 'Checkout' }).click();
      await pay(page).waitFor();
      return page;
    };
    const pay = (page: Page) => page.getByRole('button', { name: 'Place order and pay' });
    const thanked = async (page: Page): Promise<void> =>
      page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
    const fillIn = async (page: Page): Promise<void> => {
      await page.getByLabel('E-mail').fill('ada@example.com');
      await shipping(page).getByLabel('Country').selectOption('DE');
      await shipping(page).getByLabel('Full name').fill('Ada Lovelace');
      await shipping(page).getByLabel('Street and number').fill('Torstraße 1');
      await shipping(page).getByLabel('Postcode').fill('10119');
      await shipping(page).getByLabel('City').fill('Berlin');
      await page.keyboard.press('Tab');
      await page.getByRole('radio', { name: /Standard/ }).waitFor();
    };
    const shipping = (page: Page) => page.getByRole('group', { name: 'Shipping address' });
    const total = (page: Page) => page.locator('[part=bar-total] strong');
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
      [
        'on a desk in dark colours, by the script that has forms in it',
        { viewport: { width: 1280, height: 900 }, colorScheme: 'dark', script: 'all.js' },
      ],
    ] as const)
      test(`${where}, a buyer is led from the cart to the order`, async () => {
        const page = await open('stoneware-mug', options);
        await accessible(page, 'begun');
        await pay(page).click();
        const email = page.getByLabel('E-mail');
        assert.equal(await email.getAttribute('aria-invalid'), 'true');
        assert.equal(await email.evaluate((one) => one.matches(':focus')), true, 'the first fault has the focus');
        await accessible(page, 'with faults');
        await fillIn(page);
        assert.equal(await page.getByRole('radio', { name: /Standard/ }).isChecked(), true, 'the cheapest is chosen');
        assert.equal(await total(page).textContent(), '€22.90');
        await page.getByRole('radio', { name: /Express/ }).check();
        await page.getByText('€27.90').first().waitFor();
        await accessible(page, 'ready');
        await page.getByRole('radio', { name: 'test: succeed' }).check();
        await pay(page).dblclick();
        await thanked(page);
        await page.getByText(/^Order TEST-\d+$/).waitFor();
        assert.equal(await page.getByText('ada@example.com').count(), 0, 'the buyer of a test is not written to');
        await accessible(page, 'ordered');
        await page.reload();
        await thanked(page);
        await page.goto(address('&view=cart'));
        await page.getByText('Your cart is empty.').first().waitFor();
        assert.deepEqual(faults, []);
      });

    test('on the narrowest phone, nothing of it is wider than the page', async () => {
      const page = await open('stoneware-mug', { viewport: { width: 320, height: 640 } });
      await fillIn(page);
      const [field, side] = await Promise.all([
        page.getByLabel('E-mail').boundingBox(),
        page.locator('[part~=side]').boundingBox(),
      ]);
      const edge = (box: typeof field): number => (box === null ? Number.NaN : box.x + box.width);
      assert.ok(edge(field) <= edge(side) + 1, `${edge(field)} <= ${edge(side)}`);
    });

    test('by keyboard alone', async () => {
      const page = await open('stoneware-mug');
      const { keyboard } = page;
      await page.getByLabel('E-mail').focus();
      for (const typed of ['ada@example.com', 'Ger', 'Ada Lovelace', 'Torstraße 1', '', '10119', 'Berlin']) {
        await keyboard.type(typed);
        await keyboard.press('Tab');
      }
      await page.getByRole('radio', { name: /Standard/ }).waitFor();
      await page.getByRole('radio', { name: 'test: succeed' }).focus();
      await keyboard.press('Space');
      await keyboard.press('Enter');
      await thanked(page);
      assert.deepEqual(faults, []);
    });

    test('a declined payment leaves all as it was, and another is taken', async () => {
      const page = await open('stoneware-mug');
      await fillIn(page);
      await page.getByRole('radio', { name: 'test: decline' }).check();
      await pay(page).click();
      await page.getByRole('alert').filter({ hasText: 'The payment was declined' }).waitFor();
      await accessible(page, 'declined');
      assert.equal(await shipping(page).getByLabel('City').inputValue(), 'Berlin');
      await page.getByRole('radio', { name: 'test: succeed' }).check();
      await pay(page).click();
      await thanked(page);
    });

    test('what another tab put there meanwhile is shown before it is bought, also where it costs the same', async () => {
      const asked = await fetch(`${world.server.addresses.storefront}/products/linen-shirt`, {
        headers: { 'x-service-sdk-key': store.key },
      });
      const { variants } = (await asked.json()) as {
        readonly variants: readonly { readonly id: string; readonly options: object }[];
      };
      const other = variants.find(({ options }) => Object.values(options).join(' ') === 'Indigo M')?.id ?? '';
      for (const typed of [undefined, 'Ring twice'] as const) {
        const page = await open('linen-shirt');
        await fillIn(page);
        await page.getByRole('radio', { name: 'test: succeed' }).check();
        const before = await total(page).textContent();
        const status = await page.evaluate(
          async ({ base, key, variantId, note }) => {
            const kept = JSON.parse(localStorage.getItem(`storefront:${key}`) ?? '{}') as {
              readonly checkout: { readonly id: string; readonly token: string };
            };
            const { status: answered } = await fetch(`${base}/checkouts/${kept.checkout.id}`, {
              method: 'PATCH',
              headers: {
                'content-type': 'application/json',
                'x-service-sdk-key': key,
                'x-cart-token': kept.checkout.token,
                'idempotency-key': crypto.randomUUID(),
              },
              body: JSON.stringify({ lines: [{ variantId, quantity: 1 }] }),
            });
            const field = document
              .querySelector('storefront-checkout')
              ?.shadowRoot?.querySelector<HTMLInputElement>('#f-note');
            // Typed, and not sent yet.
            if (field && note !== undefined) field.value = note;
            return answered;
          },
          {
            base: world.server.addresses.storefront,
            key: store.key,
            variantId: other,
            note: typed,
          },
        );
        assert.equal(status, 200);
        await pay(page).click();
        await page.getByRole('alert').filter({ hasText: 'Something changed' }).waitFor();
        assert.equal(await total(page).textContent(), before, 'it costs the same');
        assert.deepEqual(await page.locator('[part=line-options]').allInnerTexts(), ['Indigo · M']);
        await pay(page).click();
        await thanked(page);
      }
    });

    test('what is not sold any more is told where the button was pressed, and taken out there', async () => {
      const page = await open('linen-shirt', { viewport: { width: 390, height: 844 } });
      const alone = await open('linen-shirt', { viewport: { width: 390, height: 844 } });
      await page.goto(address('&product=stoneware-mug'));
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.getByRole('link', { name: 'View cart' }).click();
      await page.getByRole('link', { name: 'Checkout' }).click();
      await fillIn(page);
      await page.getByRole('radio', { name: 'test: succeed' }).check();
      await store.offer('Linen shirt', 'archived');
      try {
        await pay(page).click();
        await page.getByRole('alert').filter({ hasText: 'Something changed' }).waitFor();
        await page.getByText('Linen shirt is not sold any more: remove it.').waitFor();
        assert.equal(await page.getByText('Open a shop').isVisible(), false, 'the key is not at fault');
        await accessible(page, 'with a line that is not sold');
        const remove = page.getByRole('button', { name: /^Remove: .*[Ss]hirt/ });
        assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 1, 'only of what cannot be bought');
        await remove.dblclick();
        await remove.waitFor({ state: 'detached' });
        await page.locator('[part=problem]:empty').waitFor({ state: 'attached' });
        assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com');
        assert.equal(await total(page).textContent(), '€22.90');
        await pay(page).click();
        await thanked(page);

        await alone.reload();
        await alone.getByText('Your order').first().click();
        await alone.getByRole('button', { name: /^Remove/ }).click();
        await alone.getByText('Your cart is empty.').first().waitFor();
        assert.deepEqual(
          faults.filter((fault) => !fault.includes('409')),
          [],
        );
      } finally {
        await store.offer('Linen shirt', 'active');
      }
    });

    test('pressed before what was typed was sent, it buys at no total that was not shown', async () => {
      const page = await open('stoneware-mug');
      await page.getByRole('radio', { name: 'test: succeed' }).check();
      assert.equal(await total(page).textContent(), '€18.00');
      await page.getByLabel('E-mail').evaluate((field) => {
        // As browsers fill it in: nothing tells of it.
        const values = {
          email: 'ada@example.com',
          'shippingAddress-country': 'DE',
          'shippingAddress-name': 'Ada Lovelace',
          'shippingAddress-line1': 'Torstraße 1',
          'shippingAddress-postcode': '10119',
          'shippingAddress-city': 'Berlin',
        };
        for (const [id, value] of Object.entries(values)) {
          const found = (field.getRootNode() as ShadowRoot).getElementById(`f-${id}`);
          if (found) (found as HTMLInputElement).value = value;
        }
      });
      await pay(page).click();
      await page.getByRole('alert').filter({ hasText: 'Something changed' }).waitFor();
      assert.equal(await total(page).textContent(), '€22.90');
      await pay(page).click();
      await thanked(page);
    });

    test('pressed while what was typed is on its way, it says what came of that, and buys at the next press', async () => {
      const page = await open('stoneware-mug');
      await page.getByRole('radio', { name: 'test: succeed' }).check();
      const held = Promise.withResolvers<void>();
      await page.route(/\/checkouts\/[^/]+$/, async (route) => {
        if (route.request().method() === 'PATCH') await held.promise;
        await route.continue();
      });
      await page.getByLabel('E-mail').fill('ada@example.com');
      await shipping(page).getByLabel('Full name').fill('Ada Lovelace');
      await shipping(page).getByLabel('Street and number').fill('Torstraße 1');
      await shipping(page).getByLabel('Postcode').fill('10119');
      await shipping(page).getByLabel('City').fill('Berlin');
      await pay(page).click();
      held.resolve();
      await page.getByRole('alert').filter({ hasText: 'Something changed' }).waitFor();
      assert.equal(await total(page).textContent(), '€22.90');
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByRole('alert').filter({ hasText: 'Something changed' }).count(), 1, 'it stays');
      await pay(page).click();
      await thanked(page);
    });

    test('a payment that asks for a step is confirmed, or changed', async () => {
      const page = await open('stoneware-mug');
      await fillIn(page);
      await page.getByRole('radio', { name: 'test: require action' }).check();
      await pay(page).click();
      await page.getByRole('button', { name: 'Change payment' }).click();
      await pay(page).waitFor();
      assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com');
      await page.getByRole('radio', { name: 'test: require action' }).check();
      await pay(page).click();
      await page.getByText('Your payment needs one more step.').waitFor();
      await accessible(page, 'a step');
      await page.reload();
      await page.getByRole('button', { name: 'Confirm payment' }).click();
      await thanked(page);
      assert.deepEqual(faults, []);
    });

    test('a card is offered where the page brings fields of the provider, and is typed into these', async () => {
      const page = await open('stoneware-mug');
      const card = page.getByRole('radio', { name: 'Card' });
      assert.equal(await card.count(), 0, 'nothing there would take it');
      await page.evaluate(async () => {
        const [placed] = document.getElementsByTagName('storefront-checkout');
        placed?.append(
          Object.assign(document.createElement('p'), { slot: 'stripe', textContent: 'Fields of the provider' }),
        );
        await (placed as unknown as { refresh(): Promise<void> }).refresh();
      });
      await card.waitFor();
      await fillIn(page);
      await card.check();
      await pay(page).click();
      await page.getByText('Fields of the provider').waitFor();
      await accessible(page, 'a card');
      const { clientSecret, publishableKey } = (await page.evaluate(`(async () => {
        const { createShop } = await import('${world.server.addresses.storefront}/shop.js');
        const shop = createShop({ baseUrl: '${world.server.addresses.storefront}', sdkKey: '${store.key}' });
        return shop.checkout.paymentSecrets();
      })()`)) as { readonly clientSecret: string; readonly publishableKey: string };
      assert.equal(publishableKey, 'pk_test_1');
      stripe.confirm(clientSecret.split('_secret')[0] ?? '');
      await page.evaluate(`document.getElementsByTagName('storefront-checkout')[0].confirm()`);
      await thanked(page);
      assert.deepEqual(faults, []);
    });

    test('goods go where the shop ships: other countries are not offered, a bill may go anywhere', async () => {
      const page = await open('stoneware-mug');
      const country = shipping(page).getByLabel('Country');
      assert.deepEqual(await country.locator('option:not([value=""])').allTextContents(), ['Germany']);
      assert.equal(await country.inputValue(), 'DE');
      await page.getByLabel('Billing address is the same').uncheck();
      assert.ok((await page.locator('#f-billingAddress-country option').count()) > 200);
    });

    test('an address that nobody ships to is said', async () => {
      const page = await open('stoneware-mug');
      // As on a page that says itself which countries there are.
      await page.evaluate(() => {
        const [placed] = document.getElementsByTagName('storefront-checkout');
        const own = placed?.cloneNode() as Element;
        own.setAttribute('countries', 'DE JP');
        placed?.replaceWith(own);
      });
      await pay(page).waitFor();
      await page.getByLabel('E-mail').fill('ada@example.com');
      await shipping(page).getByLabel('Country').selectOption('JP');
      await shipping(page).getByLabel('Full name').fill('Ada');
      await shipping(page).getByLabel('Street and number').fill('1-1');
      await shipping(page).getByLabel('Postcode').fill('100-0001');
      await shipping(page).getByLabel('City').fill('Tokyo');
      await page.keyboard.press('Tab');
      await page.getByText('The shop ships nothing to this address.').waitFor();
    });

    test('sent elsewhere while the first address is answered, it is offered what goes there, and nothing of before', async () => {
      await using selling = await hireAgent(world, 'owner@example.com', 'commerce/selling');
      const { shipping_zone } = await selling.call('service_create_shipping_zone', {
        name: 'France',
        places: [{ country: 'FR' }],
      });
      await selling.call('service_create_shipping_option', {
        shipping_zone_id: shipping_zone?.['id'],
        name: 'Poste',
        kind: 'flat',
        currency: 'EUR',
        amount: '12.00',
      });
      const page = await open('stoneware-mug');
      const held = Promise.withResolvers<void>();
      const sent: string[] = [];
      await page.route('**/checkouts/*', async (route) => {
        const body = route.request().postData() ?? '';
        sent.push(body);
        // The answer is on its way while the buyer types on.
        const response = await route.fetch();
        if (body.includes('"DE"')) await held.promise;
        await route.fulfill({ response });
      });
      await page.getByLabel('E-mail').fill('ada@example.com');
      await shipping(page).getByLabel('Country').selectOption('DE');
      await shipping(page).getByLabel('Full name').fill('Ada Lovelace');
      await shipping(page).getByLabel('Street and number').fill('Torstraße 1');
      await shipping(page).getByLabel('Postcode').fill('10119');
      await shipping(page).getByLabel('City').fill('Berlin');
      await page.keyboard.press('Tab');
      await shipping(page).getByLabel('Country').selectOption('FR');
      await page.keyboard.press('Tab');
      held.resolve();
      await page.getByRole('radio', { name: /Poste/, checked: true }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await page.locator('[part=problem]').textContent(), '');
      assert.equal(await page.getByRole('radio', { name: /Standard/ }).count(), 0);
      assert.deepEqual(
        faults.filter((fault) => !fault.includes('409')),
        [],
        sent.join('\n'),
      );
      await shipping(page).getByLabel('Country').selectOption('DE');
      await page.getByRole('radio', { name: /Standard/, checked: true }).waitFor();
      await page.close();
    });
  });
}
