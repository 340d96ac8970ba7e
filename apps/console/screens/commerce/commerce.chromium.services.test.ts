import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Json } from '@steward/conformance/world';
import type { Locator, Page } from 'playwright-core';
import { publicJwk } from '@steward/http-signatures';
import { openPool, sql } from '@steward/sql';
import { startHttps } from '@steward/testing';
import { askBooks } from '../../fixtures/books.ts';
import { openSeeded, type Looked, type Seeded } from '../../fixtures/browser.ts';
import { logInAgain } from '../../fixtures/log-in-again.ts';
import { connectProvider, recorded, startProvider } from '../../fixtures/outside.ts';
import { callsOf, hostile, visitorOf } from '../../fixtures/calls.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

interface Listed {
  readonly [member: string]: unknown;
  readonly items: readonly { readonly id: string }[];
}

if (executablePath !== '')
  describe('commerce in the console, in a browser', () => {
    const stack = new AsyncDisposableStack();
    let seeded: Seeded;
    before(async () => {
      const { variables } = stack.use(await startProvider());
      seeded = stack.use(
        await openSeeded({ executablePath, variables: { ...variables, AGENT_PROFILES_FROM_LOOPBACK: 'allow' } }),
      );
    });
    after(async () => stack.disposeAsync());

    /** An order of one product of somebody who pays by transfer. */
    const placeOrder = async (looked: Looked, quantity = 1, codes: readonly string[] = []): Promise<string> => {
      const call = callsOf(looked, seeded);
      const site = (await call<Listed>('studio', '/api/sites')).items[0]?.id ?? '';
      const { key } = await call<{ key: string }>('studio', `/api/sites/${site}/keys`, {
        mode: 'live',
        label: 'tests',
      });
      const buy = visitorOf(seeded, key);
      for (const { id: product } of (await call<Listed>('commerce', '/api/products?status=active&limit=20')).items) {
        const { variants } = await call<{ variants: { id: string }[] }>('commerce', `/api/products/${product}`);
        const begun = await buy<{ id: string; token: string }>('/checkouts', {
          lines: [{ variantId: variants[0]?.id, quantity }],
          codes,
        }).catch(() => undefined);
        // It may be sold out.
        if (begun === undefined) continue;
        const say = { method: 'PATCH', token: begun.token };
        const address = { name: 'Ada', line1: 'Street 1', city: 'Berlin', postcode: '10115', country: 'DE' };
        const { shippingOptions } = await buy<{ shippingOptions: { id: string }[] }>(
          `/checkouts/${begun.id}`,
          { email: 'ada@example.com', shippingAddress: address },
          say,
        );
        await buy(`/checkouts/${begun.id}`, { shippingOptionId: shippingOptions[0]?.id }, say);
        await buy(
          `/checkouts/${begun.id}/complete`,
          { payment: { handler: 'manual', method: 'bank_transfer' } },
          { token: begun.token },
        );
        const [newest] = (await call<Listed>('commerce', '/api/orders?limit=1')).items;
        return newest?.id ?? '';
      }
      throw new Error('everything is sold out');
    };

    /** The rows below the lines of an order: what stands above the total adds up to it. */
    const addedUp = async (page: Page): Promise<readonly string[]> => {
      const sums = await page.locator('dl:has(> div > dt:text-is("Total")) > div').allInnerTexts();
      const [total = 0, ...above] = sums
        .slice(0, sums.findIndex((row) => row.startsWith('Total')) + 1)
        .toReversed()
        .map((row) => Math.round(Number(row.replaceAll(/^.*\n|[^\d.-]/g, '')) * 100));
      assert.equal(
        above.reduce((sum, one) => sum + one, 0),
        total,
        sums.join(' | '),
      );
      return sums;
    };

    test('what a discount lowers is taken from the total; a payment that is awaited is not called settled', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      await looked.go(`/commerce/orders/${await placeOrder(looked, 1, ['WELCOME10'])}`);
      await page.getByText('WELCOME10').waitFor();
      const sums = await addedUp(page);
      assert.ok(
        sums.some((row) => /^WELCOME10\s*-€[\d.]+$/.test(row)),
        sums.join(' | '),
      );
      await page.getByRole('link', { name: 'An order was placed' }).click();
      await page.getByText('The state of a payment became known').first().waitFor();
      assert.equal(await page.getByText('A payment was settled').count(), 0);
    });

    test('an order is shipped from the inbox: its parcel can be followed, and nothing of it is left to do', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      const row = page.getByRole('table', { name: 'Orders' }).getByRole('link').first();
      const number = (await row.textContent()) ?? '';
      await row.click();
      await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor();
      // Prices of the seeded shop include tax.
      const sums = await addedUp(page);
      assert.ok(
        sums.some((row) => /^of which tax\s*€[\d.]+$/.test(row)),
        sums.join(' | '),
      );
      await page.getByRole('button', { name: 'Ship', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Carrier').fill('DHL');
      await dialog.getByLabel('Tracking number').fill('JJD0001');
      await dialog.getByLabel('Tracking page').fill('https://carrier.example/JJD0001');
      await dialog.getByRole('button', { name: 'Ship', exact: true }).click();
      await page.getByRole('link', { name: 'Follow the parcel' }).waitFor();
      await page.getByText('DHL · JJD0001').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Ship', exact: true }).count(), 0);
      await looked.go('/commerce');
      await page.getByRole('button', { name: /^To ship/ }).waitFor();
      assert.equal(await page.getByRole('link', { name: number, exact: true }).count(), 0);
      assert.deepEqual(looked.faults, []);
    });

    test('recording a payment without a fresh login says so, sends nothing, and keeps what was typed through a reload', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce?view=pay');
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Record a payment' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Received on').fill('2026-03-02');
      await dialog.getByLabel('Reference').fill('Statement 7');
      await dialog.getByRole('button', { name: 'Record a payment' }).click();
      await dialog.getByRole('button', { name: 'Log in again to decide' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Record a payment' }).click();
      assert.equal(await page.getByRole('dialog').getByLabel('Reference').inputValue(), 'Statement 7');
      assert.equal(await page.getByRole('dialog').getByLabel('Received on').inputValue(), '2026-03-02');
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/payments/received')),
        [],
      );
    });

    test('where no order ever came, the list of what is to ship says so, and not that everything is shipped', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce?mode=test');
      await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
      await looked.go('/commerce?view=partly');
      await page.getByRole('heading', { name: 'Nothing is partly shipped.' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('what a buyer wrote is text: markup, turned and hidden characters, ten thousand characters', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      const call = callsOf(looked, seeded);
      const site = (await call<Listed>('studio', '/api/sites')).items[0]?.id ?? '';
      const { key } = await call<{ key: string }>('studio', `/api/sites/${site}/keys`, {
        mode: 'test',
        label: 'tests',
      });
      const product = (await call<Listed>('commerce', '/api/products?status=active&limit=1')).items[0]?.id ?? '';
      const { variants } = await call<{ variants: { id: string }[] }>('commerce', `/api/products/${product}`);
      const buy = visitorOf(seeded, key);
      const { id, token } = await buy<{ id: string; token: string }>('/checkouts', {
        lines: [{ variantId: variants[0]?.id, quantity: 1 }],
      });
      const say = { method: 'PATCH', token };
      const { shippingOptions } = await buy<{ shippingOptions: { id: string }[] }>(
        `/checkouts/${id}`,
        {
          email: 'hostile@example.com',
          note: `${hostile.unseen} ${hostile.markup} ${hostile.long}`.slice(0, 500),
          shippingAddress: {
            name: `${hostile.markup}${hostile.turned}`.slice(0, 90),
            line1: hostile.markup,
            city: hostile.unseen,
            postcode: '10115',
            country: 'DE',
          },
        },
        say,
      );
      await buy(`/checkouts/${id}`, { shippingOptionId: shippingOptions[0]?.id }, say);
      await buy(`/checkouts/${id}/complete`, { payment: { handler: 'test', method: 'succeed' } }, { token });
      await looked.go('/commerce?mode=test');
      const before = await page.title();
      await page.getByText('<b>bold</b>').first().waitFor();
      await page.getByText('U+202E').first().waitFor();
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Ship to' }).waitFor();
      await page.getByText('U+200B').first().waitFor();
      assert.equal(await page.locator('main b, main img[src=x]').count(), 0);
      assert.notEqual(await page.title(), '1');
      assert.equal(before, 'Orders · Steward');
      assert.deepEqual(looked.faults, []);
    });

    test('a state of checkouts with none in it does not say that nobody left one', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce/checkouts');
      await page.getByText('A checkout counts as left a day after its last change.').waitFor();
      await looked.go('/commerce/checkouts?status=cancelled');
      await page.getByRole('heading', { name: 'There is no checkout in this state.' }).waitFor();
      assert.equal(await page.getByText('No checkout counts as left yet.').count(), 0);
      assert.deepEqual(looked.faults, []);
    });

    test('products that are picked are changed together, their prices too', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce/products');
      const boxes = page.getByRole('checkbox');
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await page.getByRole('button', { name: 'Prices' }).click();
      const dialog = page.getByRole('dialog');
      const priced = (await dialog.getByRole('row').nth(1).getByRole('cell').first().textContent()) ?? '';
      await dialog.getByRole('textbox').first().fill('77.00');
      await page.getByRole('button', { name: 'Set the prices of 1 variant' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: priced, exact: true }).click();
      await page.getByText('€77.00').waitFor();
      await looked.go('/commerce/products');
      const drafted =
        (await page.getByRole('table', { name: 'Catalogue' }).getByRole('link').first().textContent()) ?? '';
      await boxes.nth(0).check();
      await page.getByRole('button', { name: 'Back to draft' }).click();
      await page.getByRole('button', { name: 'Back to draft' }).waitFor({ state: 'detached' });
      await looked.go('/commerce/products?status=draft');
      await page.getByRole('link', { name: drafted, exact: true }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('what happened to an order leads to the event in the log; what agents were refused is told beside the doors', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce?view=all');
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click();
      await page.getByRole('link', { name: 'An order was placed' }).click();
      await page.waitForURL(/\/activity\/[0-9a-f-]{36}$/);
      await looked.go('/commerce/doors');
      await page.getByText('No request was refused.').waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('an order that is partly shipped has a list of its own, and a payment is given up with a login of now', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      const call = callsOf(looked, seeded);
      const { id, number, lines } = await call<{ id: string; number: string; lines: { id: string }[] }>(
        'commerce',
        `/api/orders/${await placeOrder(looked, 2)}`,
      );
      await call('commerce', `/api/orders/${id}/fulfilments`, {
        lines: [{ lineId: lines[0]?.id, quantity: 1 }],
      });
      await looked.go('/commerce?view=partly');
      await page.getByRole('link', { name: number, exact: true }).waitFor();
      await looked.go('/commerce?view=all');
      const plot = page.getByRole('figure');
      await plot.getByRole('button').click();
      await plot.getByRole('table').waitFor();
      await looked.go('/commerce?view=pay');
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Cancel the open payment' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^The order stays to be paid\..* Still to pay: €/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel the open payment' }).click();
      await logInAgain(page);
      await dialog.getByRole('button', { name: 'Cancel the open payment' }).click();
      await dialog.waitFor({ state: 'detached' });
      const unpaid = /orders\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
      const { payments } = await call<{ payments: { state: string }[] }>('commerce', `/api/orders/${unpaid}/payments`);
      assert.deepEqual(
        payments.map(({ state }) => state),
        ['voided'],
      );
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/payments/void')),
        [],
      );
    });

    test('an order that is partly paid is still to pay, and a return that came is to do until it is paid back', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/commerce');
      const call = callsOf(looked, seeded);
      const { id, number, currency } = await call<{ id: string; number: string; currency: string }>(
        'commerce',
        `/api/orders/${await placeOrder(looked, 2)}`,
      );
      await call('commerce', `/api/orders/${id}/payments/received`, { amount: { amount: '0.01', currency } });
      await looked.go('/commerce?view=pay');
      await page.getByRole('link', { name: number, exact: true }).waitFor();

      await call('commerce', `/api/orders/${id}/payments/received`, {});
      await call('commerce', `/api/orders/${id}/fulfilments`, {});
      const { lines } = await call<{ lines: { id: string }[] }>('commerce', `/api/orders/${id}`);
      const returned = await call<{ id: string }>('commerce', `/api/orders/${id}/returns`, {
        lines: [{ lineId: lines[0]?.id, quantity: 1 }],
        reason: 'damaged',
      });
      const counted = async (): Promise<number> => {
        await looked.go('/commerce?view=returns');
        await page.getByRole('table', { name: 'Returns' }).waitFor();
        const { items } = await call<{ items: readonly unknown[] }>('commerce', '/api/returns?open=true&limit=50');
        const said = items.length === 0 ? 'Returns' : `Returns ${items.length}`;
        await page.getByText(said, { exact: true }).first().waitFor();
        return items.length;
      };
      const asked = await counted();
      await call('commerce', `/api/returns/${returned.id}/receive`, {});
      assert.equal(await counted(), asked);
      await call('commerce', `/api/orders/${id}/refunds`, { returnId: returned.id });
      assert.equal(await counted(), asked - 1);
      assert.deepEqual(looked.faults, []);
    });

    test('an order is changed at the total that was shown first, with a login of now', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      const call = callsOf(looked, seeded);
      const id = await placeOrder(looked, 2);
      await looked.go(`/commerce/orders/${id}`);
      await page.getByRole('button', { name: 'Change the order' }).click();
      const dialog = page.getByRole('dialog');
      const pieces = dialog.getByRole('textbox').first();
      const before = Number(await pieces.inputValue());
      const see = dialog.getByRole('button', { name: 'See what it costs then' });
      assert.equal(await see.isDisabled(), true, 'nothing is changed yet');
      await pieces.fill(String(before - 1));
      await see.click();
      await dialog.getByRole('status').getByText('Less to pay').waitFor();
      const unchanged = await call<{ version: number; units: number }>('commerce', `/api/orders/${id}`);
      assert.equal(unchanged.units, 2, 'what is only shown changes nothing');
      const sent = page.waitForRequest((one) => one.url().endsWith('/edits') && one.method() === 'POST');
      await dialog.getByRole('button', { name: 'Change the order' }).click();
      await logInAgain(page);
      await dialog.getByRole('button', { name: 'Change the order' }).click();
      await dialog.waitFor({ state: 'detached' });
      const changed = await call<{ version: number; units: number; total: unknown }>('commerce', `/api/orders/${id}`);
      assert.equal(changed.units, 1);
      const { total } = (await sent).postDataJSON() as { readonly total?: unknown };
      assert.deepEqual(total, changed.total);
      await page.getByRole('heading', { name: 'Letters to the buyer' }).waitFor();
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/edits')),
        [],
      );
    });

    test('stock is counted, and moved to another location', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce/stock');
      const call = callsOf(looked, seeded);
      await call('commerce', '/api/locations', { name: 'Back room <b>', code: 'back-room' });
      await looked.go('/commerce/stock');
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Count', exact: true }).first().click();
      await dialog.getByLabel('How many there are').fill('-1');
      await dialog.getByRole('button', { name: 'Count', exact: true }).click();
      await dialog.getByRole('alert').first().waitFor();
      await dialog.getByLabel('How many there are').fill('87654');
      await dialog.getByRole('button', { name: 'Count', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByRole('row')
        .filter({ hasText: '87654' })
        .getByRole('button', { name: 'Move', exact: true })
        .click();
      await dialog.getByLabel('Move to').selectOption({ label: 'Back room <b>' });
      await dialog.getByLabel('How many').fill('40');
      await dialog.getByRole('button', { name: 'Move', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const { items } = await call<{ items: { location: string; onHand: number }[] }>(
        'commerce',
        '/api/stock?limit=200',
      );
      const levels = items as unknown as readonly { location: string; onHand: number }[];
      assert.ok(levels.some(({ location, onHand }) => location === 'back-room' && onHand === 40));
      assert.ok(levels.some(({ onHand }) => onHand === 87_614));
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/stock/counts')),
        [],
      );
    });

    test('a location is added, and gets an address and a country', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/stock?show=locations');
      await page.getByRole('button', { name: 'Add a location' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('Corner shop');
      await dialog.getByLabel('Code', { exact: true }).fill('corner-shop');
      await dialog.getByLabel('City').fill('Berlin');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').getByText('Street and number').waitFor();
      await dialog.getByLabel('Street and number').fill('Weserstraße 9');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('row', { name: /Corner shop/ });
      await row.getByText('Weserstraße 9, Berlin').waitFor();
      await row.getByRole('button', { name: 'Change' }).click();
      await dialog.getByRole('heading', { name: 'Change the location' }).waitFor();
      await dialog.getByLabel('Postcode').fill('12045');
      await dialog.getByLabel('Country').fill('de');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /Weserstraße 9, 12045 Berlin.*Germany/ }).waitFor();
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/api/locations')),
        [],
      );
    });

    test('stock is adjusted with a reason, which its movements tell', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce/stock');
      await page.getByRole('button', { name: 'Adjust' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('How many more or fewer').fill('-1');
      await dialog.getByLabel('Reason').selectOption('damaged');
      await dialog.getByLabel('Note').fill('It fell down');
      await dialog.getByRole('button', { name: 'Adjust' }).click();
      await dialog.waitFor({ state: 'detached' });
      const item = page.getByRole('row').nth(1).getByRole('link');
      const name = await item.innerText();
      await item.click();
      await page.getByText('damaged: It fell down').waitFor();
      const named = page.getByRole('cell', { name, exact: true });
      await named.first().waitFor();
      assert.equal(await named.count(), (await page.getByRole('row').count()) - 1);
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.waitForURL((url) => !url.searchParams.has('item'));
      await named.first().waitFor();
      await page.getByRole('cell', { name: 'a page' }).first().waitFor();
      const fits = await page.getByRole('table').evaluate((table) => {
        const { scrollWidth = 0, clientWidth = 0 } = table.parentElement ?? {};
        return scrollWidth <= clientWidth;
      });
      assert.ok(fits, 'the table is no wider than the screen');
      assert.deepEqual(looked.faults, []);
    });

    const stored = async <T = Json>(path: string, place: 'commerce' | 'portal' = 'commerce'): Promise<T> => {
      const { world, tenant, owner: token } = seeded;
      const { status, body } = await world.call(`${world.server.addresses[place]}/api${path}`, { token, tenant });
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
      return body as T;
    };
    interface Order {
      readonly id: string;
      readonly status: string;
      readonly paymentStatus: string;
      readonly fulfilmentStatus: string;
    }
    /** The newest order of which this holds. */
    const orderOf = async (holds: (order: Order) => boolean): Promise<string> => {
      const { items } = await stored<{ items: readonly Order[] }>('/orders?limit=100');
      const found = items.find(holds);
      assert.ok(
        found !== undefined,
        JSON.stringify(items.map(({ paymentStatus: p, fulfilmentStatus: f }) => `${p} ${f}`)),
      );
      return found.id;
    };

    test('an order is paid, which waits for the books until it is tried again; a note is written, tracking is changed', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      const month = `${new Date().toISOString().slice(0, 7)}-01`;
      await looked.go('/commerce');
      const unpaid = await placeOrder(looked);
      await askBooks(seeded, 'mutation Close($month: String!) { closePeriod(month: $month) { month } }', { month });
      await looked.go(`/commerce/orders/${unpaid}`);
      await page.getByRole('button', { name: 'Record a payment' }).click();
      await dialog.getByLabel('Reference').fill('Statement 7');
      await dialog.getByRole('button', { name: 'Record a payment' }).click();
      await closed(dialog);
      assert.equal((await stored<Order>(`/orders/${unpaid}`)).paymentStatus, 'paid');
      const waits = async (): Promise<boolean> =>
        (await stored<Listed>('/order-postings?state=waiting')).items.length > 0;
      while (!(await waits())) await page.waitForTimeout(100);
      await looked.go(`/commerce/orders/${unpaid}`);
      await page.getByRole('button', { name: 'Try again' }).first().waitFor();
      await askBooks(
        seeded,
        'mutation Open($month: String!) { reopenPeriod(month: $month, reason: "Too early") { month } }',
        { month },
      );
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('in the books').first().waitFor();
      await page.getByRole('button', { name: 'Write a note' }).click();
      await dialog.getByLabel('Note').fill('Calls before noon');
      await dialog.getByRole('button', { name: 'Write a note' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Calls before noon').waitFor();
      assert.equal((await stored<{ note: string }>(`/orders/${unpaid}`)).note, 'Calls before noon');

      const shipped = await orderOf(({ fulfilmentStatus }) => fulfilmentStatus === 'fulfilled');
      await looked.go(`/commerce/orders/${shipped}`);
      await page.getByRole('button', { name: 'Change tracking' }).first().click();
      await dialog.getByLabel('Tracking number').fill('JJD0002');
      await dialog.getByRole('button', { name: 'Change tracking' }).click();
      await page.getByText('JJD0002').waitFor();
      assert.match(JSON.stringify(await stored(`/orders/${shipped}`)), /"trackingNumber":"JJD0002"/);
      assert.deepEqual(looked.faults, []);
    });

    test('what waits for a closed month names its order, is told where the month is closed, and is put on another day', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const month = `${new Date().toISOString().slice(0, 7)}-01`;
      await looked.go('/commerce');
      await askBooks(seeded, 'mutation Close($month: String!) { closePeriod(month: $month) { month } }', { month });
      const unpaid = await placeOrder(looked);
      const ofOrder = async (): Promise<readonly string[]> =>
        (
          await stored<{ items: readonly { kind: string; state: string }[] }>(`/order-postings?orderId=${unpaid}`)
        ).items.map(({ kind, state }) => `${kind} ${state}`);
      while ((await ofOrder()).join() !== 'invoice waiting') await page.waitForTimeout(100);
      // The list names the order, what it comes to, and why, in words of the page.
      const { number, total } = await stored<{ number: string; total: { amount: string } }>(`/orders/${unpaid}`);
      await looked.go('/commerce?view=problems');
      const problem = page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
      await problem.getByText('The month is closed in the books.').first().waitFor();
      await problem.getByText(`€${total.amount}`).first().waitFor();
      await problem.getByRole('link', { name: number, exact: true }).first().click();
      const again = page.getByRole('button', { name: 'Try again' });
      await again.first().waitFor();
      await looked.go(`/money/close?month=${month}`);
      await page.getByRole('heading', { name: 'Put what orders owe into the books' }).waitFor();
      await page.getByText(/^Not in the books yet: [1-9]/).waitFor();
      await page.getByRole('link', { name: 'To the orders' }).click();
      await problem.first().waitFor();
      await looked.go(`/commerce/orders/${unpaid}`);
      await again.first().waitFor();
      // In a closed month it is put on another day.
      await again.first().click();
      await page.getByLabel('Day to post on').fill(`${Number(month.slice(0, 4)) + 1}-01-15`);
      await page.getByRole('button', { name: 'Put into the books' }).click();
      await page.getByText('in the books', { exact: true }).first().waitFor();
      await again.waitFor({ state: 'detached' });
      assert.deepEqual(await ofOrder(), ['invoice posted']);
      await askBooks(
        seeded,
        'mutation Open($month: String!) { reopenPeriod(month: $month, reason: "Too early") { month } }',
        { month },
      );
      // The books refuse the closed month: no fault of the page.
      assert.deepEqual(
        looked.faults.filter((fault) => !(fault.includes('409') && fault.endsWith('/carry-out'))),
        [],
      );
    });

    test('what orders owe the books and the books leave out is put into them by a button, which does not say that it was tried', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const { world, tenant, owner: token } = seeded;
      const profile = `${world.server.addresses.commerce}/api/posting-profile`;
      const { mode } = await stored<{ mode: string }>('/posting-profile');
      const inMode = async (wanted: string): Promise<void> => {
        const { status } = await world.call(profile, { token, tenant, method: 'PATCH', body: { mode: wanted } });
        assert.equal(status, 200);
      };
      const invoiceOf = async (order: string): Promise<string | undefined> => {
        const { items } = await stored<{ items: readonly { kind: string; state: string; reason: string | null }[] }>(
          `/order-postings?orderId=${order}`,
        );
        const found = items.find(({ kind }) => kind === 'invoice');
        return found === undefined ? undefined : `${found.state} ${found.reason}`;
      };
      await looked.go('/commerce');
      await inMode('off');
      try {
        const order = await placeOrder(looked);
        while ((await invoiceOf(order)) !== 'left_out profile_off') await page.waitForTimeout(100);
        await looked.go(`/commerce/orders/${order}`);
        const put = page.getByRole('button', { name: 'Put into the books' });
        await put.waitFor();
        assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
        await put.click();
        await page.getByText('in the books').first().waitFor();
        await put.waitFor({ state: 'detached' });
        assert.equal(await invoiceOf(order), 'posted null');
      } finally {
        await inMode(mode);
      }
      assert.deepEqual(looked.faults, []);
    });

    test('no more is offered to be shipped than is left to send: what was paid back before it left is not', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const { world, tenant, owner: token } = seeded;
      await looked.go('/commerce');
      const order = await placeOrder(looked, 3);
      const at = `/orders/${order}`;
      const { lines, balanceDue } = await stored<{ lines: readonly { id: string }[]; balanceDue: object }>(at);
      const lineId = lines[0]?.id;
      const send = async (path: string, body: object): Promise<void> => {
        const answer = await world.call(`${world.server.addresses.commerce}/api${at}${path}`, { token, tenant, body });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      };
      await send('/payments/received', { amount: balanceDue });
      await send('/refunds', { lines: [{ lineId, quantity: 1 }], reason: 'changed_mind' });
      await looked.go(`/commerce${at}`);
      await page.getByText('0 of 3 · 1 paid back before it left').waitFor();
      const ship = page.getByRole('button', { name: 'Ship', exact: true });
      await ship.click();
      const dialog = page.getByRole('dialog');
      const units = dialog.getByRole('group').getByRole('textbox');
      await dialog.getByText('of 2').waitFor();
      assert.equal(await units.inputValue(), '2');
      await dialog.getByRole('button', { name: 'Ship', exact: true }).click();
      await closed(dialog);
      await page.getByText('2 × ').first().waitFor();
      await ship.waitFor({ state: 'detached' });
      const sent = await stored<{ lines: readonly { fulfilled: number; unitsToFulfil: number }[] }>(at);
      assert.deepEqual(
        sent.lines.map(({ fulfilled, unitsToFulfil }) => [fulfilled, unitsToFulfil]),
        [[2, 0]],
      );
      assert.deepEqual(looked.faults, []);
    });

    test('an order tells what came in for it, and has nothing to ship or to give back once all of it was given back', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const { world, tenant, owner: token } = seeded;
      await looked.go('/commerce');
      const at = `/orders/${await placeOrder(looked, 2)}`;
      const send = async <T>(path: string, body: object): Promise<T> => {
        const answer = await world.call(`${world.server.addresses.commerce}/api${at}${path}`, { token, tenant, body });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        return answer.body as T;
      };
      const placed = await stored<{
        version: number;
        total: { amount: string };
        shipping: { total: { amount: string } };
        lines: readonly { id: string }[];
      }>(at);
      const lines = [{ lineId: placed.lines[0]?.id, quantity: 1 }];
      const asked = { version: placed.version, lines };
      const { edit } = await send<{ edit: { after: { total: { amount: string } } } }>('/edits/preview', asked);
      const { total } = edit.after;
      await send('/edits', { ...asked, total });
      await looked.go(`/commerce${at}`);
      const payment = page
        .locator('section', { has: page.getByRole('heading', { name: 'Payments' }) })
        .getByRole('listitem')
        .first();
      const told = async (): Promise<void> => {
        await payment.getByText(`€${total.amount}`).first().waitFor();
        assert.equal(await payment.getByText(`€${placed.total.amount}`).count(), 0, await payment.innerText());
      };
      await told();
      await send('/payments/received', {});
      await looked.go(`/commerce${at}`);
      await told();
      const giveBack = page.getByRole('button', { name: 'Refund', exact: true });
      assert.equal(await giveBack.count(), 1);
      const { total: shipping } = placed.shipping;
      await send('/refunds', { lines, ...(Number(shipping.amount) === 0 ? {} : { shipping }), reason: 'changed_mind' });
      await looked.go(`/commerce${at}`);
      await page.getByText('nothing to ship').waitFor();
      await page.getByText('refunded', { exact: true }).first().waitFor();
      assert.equal(await giveBack.count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Ship', exact: true }).count(), 0);
      await looked.go('/commerce?view=all');
      await page.getByText('nothing to ship').first().waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('what comes back of an order that nobody paid lowers what is still to pay', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce');
      const order = await placeOrder(looked, 3);
      await looked.go(`/commerce/orders/${order}`);
      await page.getByRole('button', { name: 'Credit', exact: true }).click();
      await dialog.getByRole('group').getByRole('textbox').first().fill('1');
      const lowers = dialog.getByRole('status').filter({ hasText: 'This lowers what is still to pay by: ' });
      const told = await lowers.locator('data').innerText();
      await dialog.getByRole('button', { name: 'Credit', exact: true }).click();
      await closed(dialog);
      await page.getByText('No longer to pay').first().waitFor();
      const { credited, refunded } = await stored<{ credited: { amount: string }; refunded: { amount: string } }>(
        `/orders/${order}`,
      );
      assert.deepEqual([told, refunded.amount], [`€${credited.amount}`, '0.00']);
      assert.deepEqual(looked.faults, []);
    });

    test('goods are taken back, received or not, money is given back, and an order is cancelled', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      const shipped = await orderOf(
        ({ paymentStatus, fulfilmentStatus }) => paymentStatus === 'paid' && fulfilmentStatus === 'fulfilled',
      );
      await looked.go(`/commerce/orders/${shipped}`);
      const takeBack = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Take back' }).click();
        await dialog.getByRole('group').getByRole('textbox').first().fill('1');
        await dialog.getByRole('button', { name: 'Take back' }).click();
        await closed(dialog);
      };
      const returns = async (): Promise<readonly string[]> =>
        (await stored<{ items: readonly { state: string }[] }>(`/returns?orderId=${shipped}`)).items.map(
          ({ state }) => state,
        );
      await takeBack();
      await page.getByRole('button', { name: 'Reject' }).click();
      await dialog.getByLabel('Note').fill('It was used');
      await dialog.getByRole('button', { name: 'Reject' }).click();
      await closed(dialog);
      assert.deepEqual(await returns(), ['rejected']);
      await takeBack();
      await page.getByRole('button', { name: 'Receive' }).click();
      await dialog.getByRole('button', { name: 'Receive' }).click();
      await closed(dialog);
      assert.deepEqual((await returns()).toSorted(), ['received', 'rejected']);
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      const gives = dialog.getByRole('status').filter({ hasText: 'This gives back: ' });
      const goodwill = dialog.getByLabel(/^Goodwill/);
      await goodwill.waitFor();
      assert.equal(await gives.count(), 0);
      await goodwill.fill('2.00');
      await gives.filter({ hasText: '€2.00' }).waitFor();
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
      await closed(dialog);
      const refunded = async (): Promise<string> =>
        (await stored<{ refunded: { amount: string } }>(`/orders/${shipped}`)).refunded.amount;
      assert.equal(await refunded(), '2.00');
      await page.getByRole('button', { name: 'Refund this return' }).click();
      await dialog.getByText(/^1 × /).waitFor();
      const told = await gives.locator('data').innerText();
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
      await closed(dialog);
      assert.deepEqual((await returns()).toSorted(), ['refunded', 'rejected']);
      await page.getByRole('button', { name: 'Refund this return' }).waitFor({ state: 'detached' });
      const sum = await refunded();
      assert.equal(told, `€${(Number(sum) - 2).toFixed(2)}`);
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog.getByLabel(/^Goodwill/).fill('1.00');
      await dialog.getByRole('button', { name: 'Propose it' }).click();
      await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/);
      await page
        .getByText(/^Would give back 1\.00 EUR of order/)
        .first()
        .waitFor();
      assert.equal(await refunded(), sum);

      const open = await placeOrder(looked);
      await looked.go(`/commerce/orders/${open}`);
      await page.getByRole('button', { name: 'Cancel the order' }).click();
      await dialog.getByRole('button', { name: 'Cancel the order' }).click();
      await closed(dialog);
      assert.equal((await stored<Order>(`/orders/${open}`)).status, 'cancelled');
      await page.getByText('nothing to ship').waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a product is added with its variants, and what there is of one is counted for the first time', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/products');
      await page.getByRole('button', { name: 'Add a product' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('Mug');
      await dialog.getByLabel('Price', { exact: true }).fill('24.9');
      await dialog.getByLabel('Variants').fill('S, L, S,');
      await dialog.getByRole('button', { name: 'Add a product' }).click();
      // Without the name of what they differ in nothing is added, and the fault is said at its field.
      const option = dialog.getByLabel('What they differ in');
      await option.and(page.locator('[aria-invalid=true]')).waitFor();
      await option.fill('Size');
      await dialog.getByRole('button', { name: 'Add a product' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mug' }).waitFor();
      const id = page.url().split('/').at(-1) ?? '';
      const { variants, brandIds, status } = await stored<{
        status: string;
        brandIds: readonly string[];
        variants: readonly { options: object; prices: readonly { amount: string; currency: string }[] }[];
      }>(`/products/${id}`);
      assert.deepEqual([status, brandIds.length], ['active', 1]);
      assert.deepEqual(
        variants.map(({ options, prices: [price] }) => [options, price?.amount, price?.currency]),
        [
          [{ Size: 'S' }, '24.90', 'EUR'],
          [{ Size: 'L' }, '24.90', 'EUR'],
        ],
      );
      await page.getByRole('button', { name: 'Count', exact: true }).first().click();
      await dialog.getByLabel('How many there are').fill('7');
      await dialog.getByRole('button', { name: 'Count' }).click();
      await closed(dialog);
      await page.getByRole('cell', { name: '7', exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Count', exact: true }).count(), 1, 'of the other one');
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes(' 400 ')),
        [],
      );
    });

    test('a shop says where it sends, for how much, and how it is paid', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/shipping');
      await page.getByRole('button', { name: 'Send to countries' }).click();
      await dialog.getByLabel('Name').fill('South');
      await dialog.getByLabel('Countries').fill('br, AR');
      await dialog.getByRole('button', { name: 'Send to countries' }).click();
      await closed(dialog);
      await page.getByText('South', { exact: true }).waitFor();
      await page.getByText('Brazil').waitFor();
      await page.getByRole('button', { name: 'Add a way to ship' }).click();
      await dialog.getByLabel('Name').fill('By ship');
      await dialog.getByLabel('Zone').selectOption({ label: 'South' });
      await dialog.getByLabel(/^Price/).fill('31.5');
      await dialog.getByRole('button', { name: 'Add a way to ship' }).click();
      await closed(dialog);
      await page.getByText('By ship').waitFor();
      await page.getByRole('button', { name: 'Ask for tax in a country' }).click();
      await dialog.getByLabel('Country').fill('br');
      await dialog.getByLabel('Tax rate').selectOption({ label: 'A new one' });
      await dialog.getByLabel('Name').fill('ICMS');
      await dialog.getByLabel('Percent').fill('17');
      await dialog.getByRole('button', { name: 'Ask for tax in a country' }).click();
      await closed(dialog);
      await page.getByText('standard 17%').waitFor();
      await page.getByRole('button', { name: 'Change payment' }).click();
      await dialog.getByLabel('Bank transfer', { exact: true }).check();
      await dialog.getByLabel('Cash on delivery', { exact: true }).uncheck();
      await dialog.getByLabel('Bank transfer: what the buyer is told').fill('IBAN of the shop');
      await dialog.getByLabel('Bank transfer: days to pay').fill('ten');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Give a number').first().waitFor();
      await dialog.getByLabel('Bank transfer: days to pay').fill('１０');
      await dialog.getByLabel('When cards are charged').selectOption('fulfilment');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await closed(dialog);
      await page.getByText('IBAN of the shop').waitFor();
      await page.getByText('To be paid within 10 days.').waitFor();
      const { captureAt, manualMethods } = await stored<{
        captureAt: string;
        manualMethods: readonly { method: string; instructions: string | null; payWithinDays: number | null }[];
      }>('/payment-settings');
      assert.equal(captureAt, 'fulfilment');
      const told = new Map(manualMethods.map(({ method, instructions }) => [method, instructions]));
      assert.equal(told.get('bank_transfer'), 'IBAN of the shop');
      assert.equal(manualMethods.find(({ method }) => method === 'bank_transfer')?.payWithinDays, 10);
      assert.equal(told.has('cash_on_delivery'), false);
      const awaited = await placeOrder(looked);
      await looked.go(`/commerce/orders/${awaited}`);
      await page.getByText('to be paid by').waitFor();
      await page.getByRole('button', { name: 'Give more time' }).click();
      const last = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
      await dialog.getByLabel('Last day').fill(last);
      await dialog.getByRole('button', { name: 'Give more time' }).click();
      await closed(dialog);
      const paid = await stored<{ payments: readonly { payBy: string }[] }>(`/orders/${awaited}/payments`);
      assert.equal(paid.payments[0]?.payBy, last);
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/payment-settings')),
        [],
      );
    });

    test('an account is added to the books, and orders are posted to it', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      interface Profile {
        readonly mode: string;
        readonly salesAccount: { readonly code: string; readonly chosen: boolean };
      }
      const before = await stored<Profile>('/posting-profile');
      await looked.go('/commerce/shipping');
      await page.getByRole('button', { name: 'Add an account' }).click();
      await dialog.getByLabel('Code').fill(before.salesAccount.code);
      await dialog.getByLabel('Name').fill('Sales of the web shop');
      await dialog.getByRole('button', { name: 'Add an account' }).click();
      await dialog.getByText('There is an account with this code already.').first().waitFor();
      await dialog.getByLabel('Code').fill('4055');
      await dialog.getByRole('button', { name: 'Add an account' }).click();
      await closed(dialog);
      await page.getByRole('button', { name: 'Change how orders are posted' }).click();
      await dialog.getByLabel('Sales', { exact: true }).selectOption({ label: '4055 Sales of the web shop' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await closed(dialog);
      await page.getByText('4055 Sales of the web shop').first().waitFor();
      const after = await stored<Profile>('/posting-profile');
      assert.deepEqual([after.mode, after.salesAccount.code], [before.mode, '4055']);
      await page.getByRole('button', { name: 'Change how orders are posted' }).click();
      await dialog.getByLabel('Sales', { exact: true }).selectOption('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await closed(dialog);
      assert.deepEqual(
        await stored<Profile>('/posting-profile').then(({ salesAccount }) => salesAccount),
        before.salesAccount,
      );
      assert.deepEqual(looked.faults, []);
    });

    test('a product is changed in words, state, brands and pictures; others come from a file', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      interface Product {
        readonly vendor: string | null;
        readonly status: string;
        readonly brandIds: readonly string[];
        readonly media: readonly unknown[];
      }
      const { items } = await stored<Listed>('/products?status=active&limit=1');
      const id = items[0]?.id ?? '';
      const product = async (): Promise<Product> => stored<Product>(`/products/${id}`);
      const { media } = await product();
      await looked.go(`/commerce/products/${id}`);
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByLabel('Maker').fill('Fern');
      await dialog
        .getByLabel('Description')
        .fill('# Care\n\nWash **cold**, see [the guide](https://elsewhere.example/a).\n\n- one\n- <b>two</b>');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await product()).vendor, 'Fern');
      const described = page.locator('section', { has: page.getByRole('heading', { name: 'Description' }) });
      await described.getByRole('heading', { name: 'Care' }).waitFor();
      assert.equal(await described.getByRole('heading', { name: 'Care' }).count(), 1);
      assert.deepEqual(await described.getByRole('listitem').allInnerTexts(), ['one', '<b>two</b>']);
      assert.equal(await described.locator('strong').innerText(), 'cold');
      await described.getByText('see the guide (https://elsewhere.example/a).').waitFor();
      assert.equal(await described.getByRole('link').count(), 0);
      await page.getByRole('button', { name: 'Back to draft' }).click();
      await page.getByRole('button', { name: 'Activate' }).waitFor();
      assert.equal((await product()).status, 'draft');
      await page.getByRole('button', { name: 'Activate' }).click();
      await page.getByRole('button', { name: 'Back to draft' }).waitFor();
      const takeOff = page.getByRole('button', { name: 'Take off', exact: true });
      await takeOff.first().click();
      await page.getByRole('button', { name: 'Publish', exact: true }).first().waitFor();
      assert.deepEqual((await product()).brandIds, []);
      await page.getByRole('button', { name: 'Publish', exact: true }).first().click();
      await takeOff.first().waitFor();
      const remove = page.getByRole('button', { name: 'Remove' });
      const count = await remove.count();
      await page.getByLabel('Add a picture').setInputFiles({
        name: 'dot.png',
        mimeType: 'image/png',
        buffer: Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
      });
      await remove.nth(count).waitFor();
      assert.equal((await product()).media.length, media.length + 1);
      await remove.nth(count).click();
      await remove.nth(count).waitFor({ state: 'detached' });
      assert.equal((await product()).media.length, media.length);

      await looked.go('/commerce/products');
      await page.getByRole('checkbox').nth(0).check();
      await page.getByRole('button', { name: /^Take off / }).click();
      await page.getByRole('checkbox', { checked: true }).waitFor({ state: 'detached' });
      await page.getByRole('checkbox').nth(0).check();
      await page.getByRole('button', { name: /^Publish to / }).click();
      await page.getByRole('checkbox', { checked: true }).waitFor({ state: 'detached' });
      await looked.go('/commerce/products/import');
      await page.getByLabel('CSV file').setInputFiles({
        name: 'products.csv',
        mimeType: 'text/csv',
        // As spreadsheets of Windows write it.
        buffer: Buffer.from('Handle,Title,Variant Price\nfern-pot,Fern pot für März,12.00\n', 'latin1'),
      });
      await page.getByText('products.csv').waitFor();
      await looked.go('/commerce/products/import');
      await page.getByText('products.csv').waitFor();
      assert.equal(await page.getByLabel('Currency of the prices').inputValue(), 'EUR');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('status').getByText('Nothing was changed yet.').waitFor();
      await page.getByRole('status').getByText('Added').waitFor();
      assert.equal((await stored<Listed>('/products?query=Fern%20pot')).items.length, 0);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByRole('status').getByText('Nothing was changed yet.').waitFor({ state: 'detached' });
      await page.getByRole('status').getByText('Added').waitFor();
      assert.deepEqual(
        (
          await stored<{ readonly items: readonly { readonly title: string }[] }>('/products?query=Fern%20pot')
        ).items.map(({ title }) => title),
        ['Fern pot für März'],
      );
      assert.deepEqual(looked.faults, []);
    });

    test('what is wrong in a file of products is said once for each line', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce/products/import');
      await page.getByLabel('CSV file').setInputFiles({
        name: 'wrong.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Handle,Title,Variant Price\noak-pot,Oak pot,much\nelm-pot,Elm pot,more\n'),
      });
      await page.getByRole('button', { name: 'Try it' }).click();
      const alert = page.getByRole('alert');
      await alert.getByText('2 faults in the file, so nothing was imported.', { exact: true }).waitFor();
      assert.equal(await alert.getByText(/Line 2:/).count(), 1);
      assert.equal(await alert.getByText(/Line 3:/).count(), 1);
    });

    test('discounts and ways to ship are added, changed, turned off and on', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/discounts');
      await page.getByRole('button', { name: 'Add a discount' }).first().click();
      await dialog.getByLabel('Name').fill('Autumn');
      await dialog.getByLabel('Code').fill('AUTUMN5');
      await dialog.getByLabel('Lowers').selectOption('fixed_amount');
      await dialog.getByLabel('Amount').fill('5.00');
      await dialog.getByRole('button', { name: 'Add a discount' }).click();
      const row = page.getByRole('row', { name: /Autumn/ });
      await row.getByRole('button', { name: 'Turn off' }).click();
      await row.getByRole('button', { name: 'Turn on' }).waitFor();
      interface Named {
        readonly name: string;
        readonly active: boolean;
        readonly amount?: { readonly amount: string } | null;
      }
      const named = async (list: string, name: string): Promise<Named | undefined> =>
        (await stored<{ items: readonly Named[] }>(list)).items.find((one) => one.name === name);
      assert.equal((await named('/discounts', 'Autumn'))?.active, false);
      await looked.go('/commerce/shipping');
      const express = page.getByRole('row', { name: /^Express/ });
      await express.getByRole('cell', { name: '1', exact: true }).waitFor();
      const table = page.getByRole('table', { name: 'Ways to ship' });
      await table.getByRole('button', { name: 'Change' }).first().click();
      await dialog.getByLabel('Name').fill('By the post');
      await dialog.getByLabel(/^Price/).fill('6.10');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const way = page.getByRole('row', { name: /By the post/ });
      await way.getByRole('button', { name: 'Turn off' }).click();
      await way.getByRole('button', { name: 'Turn on' }).waitFor();
      const changed = await named('/shipping-options', 'By the post');
      assert.equal(changed?.amount?.amount, '6.10');
      assert.equal(changed?.active, false);
      assert.deepEqual(looked.faults, []);
    });

    test('the doors of agents are opened, watched and closed: keys, platforms, and an agent that buys', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const version = '2026-08-25';
      await using platform = await startHttps((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            ucp: { version, capabilities: { 'dev.ucp.shopping.checkout': [{ version }] } },
            keys: [publicJwk(privateKey)],
          }),
        );
      });
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/commerce/doors');
      const brand = (await stored<Listed>('/brands', 'portal')).items[0]?.id ?? '';
      interface Door {
        readonly protocol: string;
        readonly active: boolean;
        readonly mode: string;
        readonly trustedOnly: boolean;
      }
      const door = async (): Promise<Door | undefined> =>
        (await stored<{ doors: readonly Door[] }>(`/brands/${brand}/agentic-commerce`)).doors.find(
          ({ protocol }) => protocol === 'ucp',
        );
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByRole('button', { name: 'Replace the key' }).click();
      await page.getByText('ending').waitFor();
      assert.equal((await stored<Listed>(`/brands/${brand}/signing-keys`)).items.length, 2);
      const ucp = page.locator('section', { has: page.getByRole('heading', { name: 'UCP' }) }).last();
      await ucp.getByRole('button', { name: 'Open', exact: true }).click();
      await ucp.getByRole('button', { name: 'Close' }).waitFor();
      await ucp.getByRole('button', { name: 'Sell live' }).click();
      await ucp.getByRole('button', { name: 'Only tests' }).waitFor();
      await ucp.getByRole('button', { name: 'Admit trusted only' }).click();
      await ucp.getByRole('button', { name: 'Admit any agent' }).click();
      await ucp.getByRole('button', { name: 'Admit trusted only' }).waitFor();
      const { active, mode, trustedOnly } = (await door()) ?? {};
      assert.deepEqual({ active, mode, trustedOnly }, { active: true, mode: 'live', trustedOnly: false });
      await ucp.getByRole('button', { name: 'Only tests' }).click();
      await ucp.getByRole('button', { name: 'Sell live' }).waitFor();
      const product = (await stored<Listed>('/products?status=active&limit=1')).items[0]?.id ?? '';
      const { variants } = await stored<{ variants: readonly { id: string }[] }>(`/products/${product}`);
      const buys = async (): Promise<number> =>
        (
          await fetch(`${seeded.world.server.addresses.commerce}/ucp/${brand}/checkout-sessions`, {
            method: 'POST',
            headers: {
              'ucp-agent': `profile="${platform.url}/profile"`,
              'content-type': 'application/json',
              'idempotency-key': randomUUID(),
            },
            body: JSON.stringify({ line_items: [{ item: { id: variants[0]?.id }, quantity: 1 }] }),
          })
        ).status;
      assert.equal(await buys(), 201);
      await looked.go('/commerce/doors');
      await page.getByRole('button', { name: 'Shut out' }).click();
      await page.getByRole('button', { name: 'Readmit' }).waitFor();
      assert.equal(await buys(), 403);
      await page.getByRole('button', { name: 'Readmit' }).click();
      await page.getByRole('button', { name: 'Shut out' }).waitFor();
      assert.equal(await buys(), 201);
      await page.getByLabel('Profile of the platform').fill(`${platform.url}/profile`);
      await page.getByRole('button', { name: 'Issue a key' }).click();
      await page.getByText('This key is shown once.').waitFor();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('revoked').waitFor();
      const { items } = await stored<{ items: readonly { status: string }[] }>(`/brands/${brand}/agent-credentials`);
      assert.deepEqual(
        items.map(({ status }) => status),
        ['revoked'],
      );
      assert.deepEqual(looked.faults, []);
    });

    test('the secrets of a connection are given where its address is shown, after a fresh login, and none is kept in the browser', async () => {
      const { world, tenant, owner: token } = seeded;
      const { body: made } = await world.call(`${world.server.addresses.portal}/api/connections`, {
        token,
        tenant,
        body: { receiver: 'accounting.wallet_payments', provider: 'paypal', name: 'Wallet', live: false },
      });
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/connections');
      const row = page.getByRole('row', { name: /Wallet/ });
      await row.getByRole('button', { name: 'Secrets' }).click();
      await dialog.getByText(String(made['address'])).waitFor();
      await dialog.getByLabel('clientId').fill('the id of the app');
      await dialog.getByLabel('clientSecret').fill('the secret of the app');
      await dialog.getByLabel('webhook_id').fill('5GP028458E2496506');
      assert.equal(await dialog.getByLabel('clientSecret').getAttribute('type'), 'password');
      const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
      assert.match(kept, /5GP028458E2496506/);
      assert.doesNotMatch(kept, /of the app/);
      await dialog.getByRole('button', { name: 'Give them' }).click();
      await closed(dialog);
      await row.getByText('active').waitFor();
      const { items } = await stored<{
        items: readonly { name: string; settings: object; missingSecrets: readonly string[] }[];
      }>('/connections', 'portal');
      assert.deepEqual(
        items.map(({ name, settings, missingSecrets }) => [name, settings, missingSecrets]),
        [['Wallet', { webhook_id: '5GP028458E2496506' }, []]],
      );
      assert.deepEqual(looked.faults, []);
      await row.getByRole('button', { name: 'Secrets' }).click();
      await dialog.getByLabel('webhook_id').fill('');
      await dialog.getByRole('button', { name: 'Give them' }).click();
      await dialog.getByText(/^paypal cannot do without it/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await closed(dialog);
      await world.call(`${world.server.addresses.portal}/api/connections/${String(made['id'])}`, {
        token,
        tenant,
        method: 'DELETE',
      });
    });

    test('a connection is paused and resumed; what it told is tried again, carried out again, and given up', async () => {
      const { tell, states, status } = await connectProvider(seeded);
      await tell('payout.paid');
      await tell('nobody.knows');
      const become = async (wanted: readonly string[]): Promise<void> => {
        while (!wanted.every((one) => seen.includes(one))) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          seen = await states();
        }
      };
      let seen: readonly string[] = [];
      await become(['dead', 'ignored']);
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/connections');
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      assert.equal(await status(), 'paused');
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      assert.equal(await status(), 'active');
      const done = async (topic: string, act: string, type: string): Promise<void> => {
        await page
          .getByRole('row', { name: new RegExp(topic) })
          .getByRole('button', { name: act })
          .click();
        while ((await recorded(seeded, type)) === 0) await page.waitForTimeout(50);
      };
      await done('nobody.knows', 'Carry out again', 'callbacks.deliveries.replayed');
      await done('payout.paid', 'Try again', 'callbacks.delivery.retried');
      const [{ id: order } = { id: '' }] = (await stored<{ items: { id: string }[] }>('/orders?limit=1')).items;
      const became = JSON.stringify([
        { kind: 'order', id: order },
        ...['a', 'b'].map((id) => ({ kind: 'bank_line', id })),
      ]);
      await using admin = openPool({ url: seeded.world.db.adminUrl, size: 1 });
      await admin.query(sql`
        update callbacks.delivery set became = ${became}::jsonb
        where tenant_id = ${seeded.tenant}::uuid and topic = 'nobody.knows'`);
      await looked.go('/commerce/connections');
      const known = page.getByRole('row', { name: /nobody.knows/ });
      assert.match(await known.innerText(), /Order, 2 × Bank line/);
      await known.getByRole('link', { name: 'Order' }).click();
      await page.waitForURL(new RegExp(`/commerce/orders/${order}`));
      await page.goBack();
      const failed = page.getByRole('row', { name: /payout.paid.*failed/ });
      await failed.getByRole('button', { name: 'Give up' }).click();
      await dialog.getByLabel('Reason').fill('Of another account');
      await dialog.getByRole('button', { name: 'Give up' }).click();
      await page.getByText('given up').waitFor();
      await become(['rejected']);
      assert.deepEqual((await states()).toSorted(), ['ignored', 'rejected']);
      assert.deepEqual(looked.faults, []);
    });

    test('a server that has no app for a marketplace says so, and offers no shop to be connected', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce/channels');
      await page.getByRole('heading', { name: 'No marketplace is set up on this server' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Connect a shop' }).count(), 0);
      assert.deepEqual(looked.faults, []);
    });

    test('no act of its screens is left undone', () => {
      // Only cards leave a payment to be taken: what handles payments here takes it at once, or waits for a transfer.
      const capture = /\bact\.mutate\(\{ amount: \{ amount: draft/;
      assert.deepEqual(
        // Shops at marketplaces have a test of their own.
        seeded
          .undone('screens/commerce')
          .filter((act) => !capture.test(act) && !act.startsWith('screens/commerce/channel')),
        [],
      );
    });
  });

/** @throws Error with what it says, where it stays open */
async function closed(dialog: Locator): Promise<void> {
  await dialog.waitFor({ state: 'detached', timeout: 10_000 }).catch(async (cause: unknown) => {
    throw new Error(await dialog.innerText(), { cause });
  });
}
