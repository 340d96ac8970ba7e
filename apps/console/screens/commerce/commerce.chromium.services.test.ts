import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { callsOf, hostile, visitorOf } from '../../fixtures/calls.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

interface Listed {
  readonly [member: string]: unknown;
  readonly items: readonly { readonly id: string }[];
}

if (executablePath !== '')
  describe('commerce in the console, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    test('an order is shipped from the inbox: its parcel can be followed, and nothing of it is left to do', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      const row = page.getByRole('table', { name: 'Orders' }).getByRole('link').first();
      const number = (await row.textContent()) ?? '';
      await row.click();
      await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor();
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
      await dialog.getByLabel('Reference').fill('Statement 7');
      await dialog.getByRole('button', { name: 'Record a payment' }).click();
      await dialog.getByRole('button', { name: 'Log in again to decide' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Record a payment' }).click();
      assert.equal(await page.getByRole('dialog').getByLabel('Reference').inputValue(), 'Statement 7');
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/payments/received')),
        [],
      );
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
      await page.getByRole('link', { name: 'commerce.order.placed' }).click();
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
      const { items } = await call<Listed>(
        'commerce',
        '/api/orders?status=open&fulfilmentStatus=unfulfilled&limit=100',
      );
      const several = (items as unknown as readonly { id: string; number: string; units: number }[]).find(
        ({ units }) => units > 1,
      );
      assert.ok(several !== undefined, 'no order of several pieces waits');
      const { lines } = await call<{ lines: { id: string }[] }>('commerce', `/api/orders/${several.id}`);
      await call('commerce', `/api/orders/${several.id}/fulfilments`, {
        lines: [{ lineId: lines[0]?.id, quantity: 1 }],
      });
      await looked.go('/commerce?view=partly');
      await page.getByRole('link', { name: several.number, exact: true }).waitFor();
      await looked.go('/commerce?view=all');
      const plot = page.getByRole('figure');
      await plot.getByRole('button').click();
      await plot.getByRole('table').waitFor();
      await looked.go('/commerce?view=pay');
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Give up the payment' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Give up the payment' }).click();
      const opened = page.waitForEvent('popup');
      const again = dialog.getByRole('button', { name: 'Log in again to decide' });
      await again.click();
      const login = await opened;
      await login.locator('input[name=email]').fill('alice@example.com');
      await login.locator('button[value=login]').click();
      await again.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Give up the payment' }).click();
      await dialog.waitFor({ state: 'detached' });
      const id = /orders\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
      const { payments } = await call<{ payments: { state: string }[] }>('commerce', `/api/orders/${id}/payments`);
      assert.deepEqual(
        payments.map(({ state }) => state),
        ['voided'],
      );
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/payments/void')),
        [],
      );
    });

    test('an order is changed at the total that was shown first, with a login of now', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/commerce');
      const call = callsOf(looked, seeded);
      const waiting = await call<Listed>('commerce', '/api/orders?status=open&fulfilmentStatus=unfulfilled&limit=100');
      const one = (waiting.items as unknown as readonly { id: string; units: number }[]).find(({ units }) => units > 1);
      assert.ok(one !== undefined, 'no order of several pieces waits');
      await looked.go(`/commerce/orders/${one.id}`);
      await page.getByRole('button', { name: 'Change the order' }).click();
      const dialog = page.getByRole('dialog');
      const pieces = dialog.getByRole('textbox').first();
      const before = Number(await pieces.inputValue());
      await pieces.fill(String(before - 1));
      await dialog.getByRole('button', { name: 'See what it costs then' }).click();
      await dialog.getByRole('status').getByText('Less to pay').waitFor();
      const unchanged = await call<{ version: number; units: number }>('commerce', `/api/orders/${one.id}`);
      assert.equal(unchanged.units, one.units, 'what is only shown changes nothing');
      await dialog.getByRole('button', { name: 'Change the order' }).click();
      const opened = page.waitForEvent('popup');
      const again = dialog.getByRole('button', { name: 'Log in again to decide' });
      await again.click();
      const login = await opened;
      await login.locator('input[name=email]').fill('alice@example.com');
      await login.locator('button[value=login]').click();
      await again.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Change the order' }).click();
      await dialog.waitFor({ state: 'detached' });
      const changed = await call<{ version: number; units: number }>('commerce', `/api/orders/${one.id}`);
      assert.equal(changed.units, one.units - 1);
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
      await page.getByRole('button', { name: 'Movements' }).first().click();
      await page.getByText('damaged: It fell down').waitFor();
      assert.deepEqual(looked.faults, []);
    });
  });
