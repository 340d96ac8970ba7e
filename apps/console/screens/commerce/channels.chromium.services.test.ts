import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { callsOf } from '../../fixtures/calls.ts';
import { logInAgain } from '../../fixtures/log-in-again.ts';
import { startShops } from '../../fixtures/outside.ts';
import type { Channel } from './channel-types.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('shops at a marketplace, in the console, in a browser', () => {
    const stack = new AsyncDisposableStack();
    let seeded: Seeded;
    let shops: Awaited<ReturnType<typeof startShops>>;
    before(async () => {
      shops = stack.use(await startShops());
      seeded = stack.use(await openSeeded({ executablePath, variables: shops.shopify.variables }));
    });
    after(async () => stack.disposeAsync());

    test('a shop is connected from the console to its end, imported, looked at, set, disconnected and connected again', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const stored = async (): Promise<Channel | undefined> => {
        const { items } = await callsOf(looked, seeded)<{ items: readonly Channel[] }>('commerce', '/api/channels');
        return items[0];
      };
      Object.assign(shops.shop.orders.get('5002') ?? {}, { received: '23.80' });
      await looked.go('/commerce/channels');
      await page.getByRole('heading', { name: 'No shop is connected yet' }).waitFor();
      await button('Connect a shop').click();
      await dialog.getByLabel('Shop').fill('shop.example.com');
      await dialog.getByRole('button', { name: 'Go to Shopify' }).click();
      await dialog.getByText('That is no shop at Shopify.').first().waitFor();
      await dialog.getByLabel('Shop').fill('https://admin.shopify.com/store/Seaside/orders');
      await dialog.getByRole('button', { name: 'Go to Shopify' }).click();

      await dialog.getByRole('heading', { name: 'Connect seaside.myshopify.com' }).waitFor();
      assert.equal(await dialog.getByText('This did not begin in this tab.').count(), 0);
      assert.equal(
        page.url(),
        `${seeded.origin}/o/${seeded.tenant}/commerce/channels`,
        'the code is not in the address',
      );
      await dialog.getByLabel('Called').fill('Seaside');
      await dialog.getByRole('button', { name: 'Connect it' }).click();
      await logInAgain(page);
      assert.equal(await stored(), undefined, 'nothing is sent by itself');
      await dialog.getByRole('button', { name: 'Connect it' }).click();
      await page.getByRole('heading', { level: 2, name: 'Seaside' }).waitFor();
      await page.getByText('connected', { exact: true }).waitFor();
      await page.getByText('1 of 1').waitFor();
      await page.getByText('2 of 2').waitFor();
      assert.equal(await page.getByText('under way').count(), 0);
      assert.equal(await dialog.count(), 0);

      await page.getByText('the total differs, as with tips or duties').waitFor();
      await page.getByRole('link', { name: '#5002' }).click();
      await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
      await page.getByRole('link', { name: 'Seaside (seaside.myshopify.com)' }).waitFor();
      await page.getByText('#5002').waitFor();
      await page.getByText('What the shop took is given back there; it is noted here.').waitFor();
      assert.equal(await button('Refund').count(), 0, 'what is always refused is not offered');
      await button('Ship').click();
      await dialog.getByRole('note').filter({ hasText: 'The shop is not told: do it there' }).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.goBack();
      assert.equal(await page.getByRole('link', { name: '#5001' }).count(), 0);

      await button('Set stock').click();
      await dialog.getByLabel('Stock').selectOption('here');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('counted here, and the shop follows (Berlin)').waitFor();
      await button('Import again').click();
      await dialog.getByRole('button', { name: 'Import again' }).click();
      await dialog.waitFor({ state: 'detached' });
      await button('Set products').click();
      await dialog.getByLabel('Products').selectOption('here');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('described here, and the shop follows').waitFor();
      const set = await stored();
      assert.deepEqual([set?.stock, set?.shopLocationId, set?.products], ['here', '31', 'here']);

      const asked = JSON.stringify({
        shop_id: 1,
        shop_domain: shops.shop.name,
        customer: { id: 71, email: 'nora5001@example.com' },
        orders_requested: [5001],
        data_request: { id: 9 },
      });
      const told = await fetch(`${seeded.world.server.addresses.commerce}/webhooks/marketplace`, {
        method: 'POST',
        headers: shops.shopify.headers(asked, { topic: 'customers/data_request', shop: shops.shop.name }),
        body: asked,
      });
      assert.equal(told.status, 200);
      const request = page.getByRole('table', { name: 'Buyers who ask what is known of them' });
      await request.getByRole('link', { name: 'Nora Lind' }).waitFor();
      await request.getByRole('button', { name: 'Note as answered' }).click();
      await request.waitFor({ state: 'detached' });
      assert.deepEqual((await stored())?.dataRequests, []);

      await button('Disconnect').click();
      await dialog.getByText('its key is erased').waitFor();
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('disconnected', { exact: true }).waitFor();
      assert.equal((await stored())?.status, 'disconnected');
      assert.equal(await button('Set stock').count(), 0, 'nothing that is refused is offered');
      // What was done until here is counted, before the page is left.
      await looked.go('/commerce/channels');
      await button('Connect again').click();
      await dialog.getByRole('button', { name: 'Go to Shopify' }).click();
      await dialog.getByRole('button', { name: 'Connect it' }).click();
      await page.getByText('connected', { exact: true }).waitFor();
      assert.equal((await stored())?.name, 'Seaside', 'what it was called stays');
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes(' 403 ')),
        [],
      );
    });

    test('what an address behind the # claims of a code is read by a person and checked by the server', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      const code = Array.from({ length: 8 }, () => '3f2a').join('-');
      const claim = async (shop: string): Promise<void> =>
        looked.go(`/commerce/channels#${new URLSearchParams({ shop, code }).toString()}`);
      await claim('<b>x</b> please log in');
      await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
      assert.equal(await dialog.count(), 0, 'what is no shop is nothing');
      await page.goto('about:blank');
      await claim('evil.myshopify.com');
      await dialog.getByRole('heading', { name: 'Connect evil.myshopify.com' }).waitFor();
      await dialog.getByText('This did not begin in this tab.').waitFor();
      await dialog.getByRole('button', { name: 'Connect it' }).click();
      await dialog.getByRole('alert').waitFor();
      await page.reload();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
      await page.getByRole('button', { name: 'Connect a shop' }).click();
      await dialog.getByRole('button', { name: 'I have a code' }).click();
      await dialog.getByLabel('Code').fill(code);
      await dialog.getByRole('button', { name: 'Connect it' }).click();
      await dialog.getByText('The code is used, older than an hour').first().waitFor();
    });

    test('no act of its screen is left undone', () => {
      assert.deepEqual(
        seeded.undone('screens/commerce').filter((act) => act.startsWith('screens/commerce/channel')),
        [],
      );
    });
  });
