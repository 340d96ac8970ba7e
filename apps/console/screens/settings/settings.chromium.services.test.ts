import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '@steward/conformance/world';
import { billingVariables, startBillingProvider } from '@steward/portal/testing';

import type { Page } from 'playwright-core';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { connectProvider, recorded, startEndpoint, startProvider } from '../../fixtures/outside.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('everything that settings and developers can do, by the mouse', () => {
    const stack = new AsyncDisposableStack();
    let seeded: Seeded;
    let hook: Awaited<ReturnType<typeof startEndpoint>>;
    before(async () => {
      const provider = stack.use(await startBillingProvider());
      hook = stack.use(await startEndpoint());
      const { variables: told } = stack.use(await startProvider());
      const variables = { ...billingVariables(provider), ...told, WEBHOOKS_TO_LOOPBACK: 'allow' };
      seeded = stack.use(await openSeeded({ executablePath, orders: 2, products: 2, variables }));
    });
    after(async () => stack.disposeAsync());

    const read = async (path: string, place: 'portal' | 'studio' | 'accounting' = 'portal'): Promise<Json> => {
      const { world, tenant, owner: token } = seeded;
      const { status, body } = await world.call(`${world.server.addresses[place]}/api${path}`, { token, tenant });
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
      return body;
    };
    const items = async (path: string, place?: 'portal' | 'studio'): Promise<readonly Json[]> =>
      (await read(path, place))['items'] as unknown as readonly Json[];
    const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

    test('the organization is renamed; members are invited, join, change their role and leave', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/settings');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Juniper & Clay Ltd');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal((await read('/organization'))['name'], 'Juniper & Clay Ltd');

      await page.getByRole('button', { name: 'Change the seller’s details' }).click();
      const seller = page.getByRole('dialog', { name: 'Change the seller’s details' });
      await seller.getByLabel('Name in law').fill('Juniper and Clay Limited');
      await seller.getByLabel('Address').fill('Ring 1\n1010 Wien');
      await seller.getByLabel('VAT number').fill('');
      await seller.getByLabel('Registration').fill('FN 1a, Wien');
      await seller.getByRole('button', { name: 'Save' }).click();
      await seller.waitFor({ state: 'detached' });
      await page.getByText('Juniper and Clay Limited').waitFor();
      await page.getByText('Ring 1\n1010 Wien').waitFor();
      await page.getByText('FN 1a, Wien').waitFor();

      const invite = async (email: string): Promise<string> => {
        await page.getByRole('button', { name: 'Invite' }).click();
        await page.getByRole('dialog').getByLabel('E-mail').fill(email);
        await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
        return secretOf(page);
      };
      const first = await invite('carol@example.com');
      await row(page, /carol@example\.com/)
        .getByRole('button', { name: 'New secret' })
        .click();
      const secret = await secretOf(page);
      assert.notEqual(secret, first);
      await invite('dave@example.com');
      await row(page, /dave@example\.com/)
        .getByRole('button', { name: 'Revoke' })
        .click();
      await row(page, /dave@example\.com.*revoked/).waitFor();
      const invitations = await items('/invitations');
      assert.equal(invitations.find(({ email }) => String(email) === 'dave@example.com')?.['status'], 'revoked');

      {
        await using theirs = await seeded.open({ as: 'carol@example.com' });
        await theirs.page.locator('summary', { hasText: 'I was invited' }).click();
        await theirs.page.getByLabel('Secret that you were given').fill(first);
        await theirs.page.getByRole('button', { name: 'Accept' }).click();
        await theirs.page.getByRole('alert').waitFor();
        await theirs.page.getByLabel('Secret that you were given').fill(secret);
        await theirs.page.getByRole('button', { name: 'Accept' }).click();
        await theirs.page.waitForURL(/\/o\//);
        await theirs.page.locator('summary', { hasText: 'carol@example.com' }).first().click();
        await theirs.page.getByRole('button', { name: 'Sign out' }).click();
        // The identity provider asks whether to sign out there, too.
        await theirs.page.getByRole('heading', { name: 'Sign out' }).waitFor();
      }
      await looked.go('/settings');
      await row(page, /carol@example\.com Viewer/)
        .getByRole('button', { name: 'Change role' })
        .click();
      await page.getByRole('dialog').getByLabel('Role').selectOption('developer');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await row(page, /carol@example\.com Developer/).waitFor();
      const member = async (): Promise<Json | undefined> =>
        (await items('/members')).find(({ email }) => String(email) === 'carol@example.com');
      assert.equal((await member())?.['role'], 'developer');
      await row(page, /carol@example\.com Developer/)
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await row(page, /carol@example\.com Developer/).waitFor({ state: 'detached' });
      assert.equal(await member(), undefined);
      assert.deepEqual(looked.faults, []);
    });

    test('on a phone that opens no window, the page goes to the login and comes back with what was typed; nothing is sent', async () => {
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      const dialog = page.getByRole('dialog', { name: 'Invite' });
      const invited = async (): Promise<boolean> =>
        (await items('/invitations')).some(({ email }) => String(email) === 'phone@example.com');
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await looked.go('/settings');
      await page.getByRole('button', { name: 'Invite' }).click();
      await dialog.getByLabel('E-mail').fill('phone@example.com');
      await dialog.getByLabel('Role').selectOption('accountant');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await dialog.getByRole('button', { name: 'Log in again to decide' }).click();
      await page.locator('input[name=email]').fill('alice@example.com');
      await page.locator('button[value=login]').click();
      await page.waitForURL(`${seeded.origin}/o/${seeded.tenant}/settings`);
      await page.getByRole('button', { name: 'Invite' }).click();
      assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'phone@example.com');
      assert.equal(await dialog.getByLabel('Role').inputValue(), 'accountant');
      assert.equal(await invited(), false);
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await secretOf(page);
      assert.equal(await invited(), true);
      await page.getByRole('button', { name: 'Invite' }).click();
      assert.equal(await dialog.getByLabel('E-mail').inputValue(), '', 'what was sent is typed no more');
    });

    test('brands come, are renamed and go', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings/brands');
      await page.getByRole('button', { name: 'Add a brand' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Second');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await row(page, /Second/)
        .getByRole('button', { name: 'Change' })
        .click();
      await page.getByRole('dialog').getByLabel('Name').fill('Fern');
      await page.getByRole('dialog').getByLabel('Privacy policy').fill('http://fern.example/privacy');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Give an address that begins with https://').first().waitFor();
      await page.getByRole('dialog').getByLabel('Privacy policy').fill('https://fern.example/privacy');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await row(page, /Fern/).waitFor();
      const [fern] = (await items('/brands')).filter(({ name }) => String(name) === 'Fern');
      assert.deepEqual(fern?.['links'], { privacy: 'https://fern.example/privacy' });
      assert.ok((await items('/brands')).some(({ name }) => String(name) === 'Fern'));
      await row(page, /Fern/).getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
      await row(page, /Fern/).waitFor({ state: 'detached' });
      assert.ok(!(await items('/brands')).some(({ name }) => String(name) === 'Fern'));
      assert.deepEqual(
        looked.faults.filter((one) => !one.includes('status of 400 ')),
        [],
      );
    });

    test('the policies and standing rules are changed', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/settings/policy');
      await page.getByRole('button', { name: 'Change' }).first().click();
      await dialog.getByLabel('Hours until it expires').fill('36');
      await dialog.getByLabel(/EUR/).first().fill('50');
      await dialog.getByText('What always needs two people').click();
      await dialog.getByRole('checkbox', { name: 'Close a month' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('expires after 36 hours').waitFor();
      await page.getByText('Close a month needs two people, whatever the amount.').waitFor();
      const policy = await read('/approval-policy');
      assert.deepEqual(policy['tools'], { service_close_period: { fourEyes: true } });
      assert.equal(policy['expiryHours'], 36);
      assert.deepEqual(policy['fourEyesAbove'], [{ amount: '50.00', currency: 'EUR' }]);
      await page.getByRole('button', { name: 'Change' }).nth(1).click();
      await dialog.getByLabel('Forbidden tools').fill('service_merge_contacts');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Forbidden to all agents:').waitFor();
      assert.deepEqual((await read('/tool-policy'))['deniedTools'], ['service_merge_contacts']);
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await dialog.getByLabel('Tool').fill('service_issue_document');
      await dialog.getByLabel(/^Up to/).fill('75');
      await dialog.getByLabel('Until').fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
      await dialog.getByRole('button', { name: 'Add a rule' }).click();
      const rule = row(page, /any agent.*Issue an invoice, bill or credit.*75\.00/);
      await rule.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await rule.getByText('revoked').waitFor();
      const rules = await items('/standing-rules');
      assert.notEqual(rules.find(({ tool }) => String(tool) === 'service_issue_document')?.['revokedAt'], null);
      assert.deepEqual(looked.faults, []);
    });

    test('a legal hold is placed and released, another browser is signed out', async () => {
      await using other = await seeded.open();
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/settings/data');
      await page.getByRole('button', { name: 'Place a legal hold' }).click();
      await dialog.getByLabel('Reason').fill('A case at court');
      await dialog.getByRole('button', { name: 'Place a legal hold' }).click();
      await page.getByText('A case at court').waitFor();
      assert.notEqual((await read('/audit/hold', 'accounting'))['hold'], null);
      await page.getByRole('button', { name: 'Release it' }).click();
      await dialog.getByRole('button', { name: 'Release it' }).click();
      await page.getByRole('button', { name: 'Place a legal hold' }).waitFor();
      assert.equal((await read('/audit/hold', 'accounting'))['hold'], null);
      await looked.go('/settings/sessions');
      const ends = page.getByRole('button', { name: 'End' });
      await ends.first().waitFor();
      for (let left = await ends.count(); left > 0; left -= 1) {
        await ends.first().click();
        await page.waitForFunction(
          (count) => document.querySelectorAll('main table button').length === count,
          left - 1,
        );
      }
      await other.page.reload();
      await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('the address for an assistant is told once', async () => {
      await using looked = await seeded.open();
      await looked.go('/developers');
      const address = `${seeded.world.server.addresses.mcp}/t/${seeded.tenant}`;
      assert.equal(await looked.page.locator('main').getByText(address, { exact: true }).count(), 1);
      assert.deepEqual(looked.faults, []);
    });

    test('a site is added by hand, with the origins of its pages', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/developers/keys');
      await page.getByRole('button', { name: 'Add a site' }).click();
      await dialog.getByLabel('Name').fill('Second shop');
      await dialog.getByLabel('Origins').fill('https://second.example, http://localhost:5173');
      await dialog.getByRole('button', { name: 'Add a site' }).click();
      await page.getByRole('heading', { name: 'Second shop' }).waitFor();
      const site = (await items('/sites', 'studio')).find(({ name }) => String(name) === 'Second shop');
      assert.deepEqual(site?.['origins'] as unknown, ['https://second.example', 'http://localhost:5173']);
      assert.deepEqual(looked.faults, []);
    });

    test('keys of a site are issued, rotated and revoked', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/developers/keys');
      await page.getByRole('button', { name: 'Issue a key' }).first().click();
      await dialog.getByLabel('Label').fill('For a page');
      await dialog.getByRole('button', { name: 'Issue a key' }).click();
      await secretOf(page);
      await row(page, /For a page.*active/)
        .getByRole('button', { name: 'Rotate' })
        .click();
      await secretOf(page);
      await row(page, /For a page.*ending/).waitFor();
      await row(page, /For a page.*active/)
        .getByRole('button', { name: 'Revoke' })
        .click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await row(page, /For a page.*revoked/).waitFor();
      const site = String((await items('/sites', 'studio'))[0]?.['id']);
      const keys = (await items(`/sites/${site}/keys`, 'studio')).filter(({ label }) => String(label) === 'For a page');
      assert.deepEqual(keys.map(({ status }) => String(status)).toSorted(), ['ending', 'revoked']);
      assert.deepEqual(looked.faults, []);
    });

    test('a webhook is added, tried, paused, resumed, given a new secret, asked to send again, and deleted', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/developers/webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).first().click();
      await dialog.getByLabel('Address').fill(hook.url);
      await dialog.getByLabel('Types of events').fill('commerce.order.placed');
      await dialog.getByRole('button', { name: 'Add a webhook' }).click();
      await page.waitForURL(/\/developers\/webhooks\/[0-9a-f-]{36}$/);
      const id = page.url().slice(-36);
      const status = async (): Promise<string> => String((await read(`/webhooks/${id}`))['status']);
      await page.getByRole('button', { name: 'New secret' }).click();
      assert.match(await secretOf(page), /^whsec_/);
      await page.getByRole('button', { name: 'Send a test' }).click();
      await row(page, /delivered/)
        .getByRole('button', { name: 'Send again' })
        .click();
      while (hook.heard() < 2) await page.waitForTimeout(50);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      assert.equal(await status(), 'paused');
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      assert.equal(await status(), 'active');
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/\/developers\/webhooks$/);
      assert.ok(!(await items('/webhooks')).some((one) => String(one['id']) === id));
      assert.deepEqual(looked.faults, []);
    });

    test('a delivery that failed is tried again', async () => {
      const { tell, states } = await connectProvider(seeded);
      await tell('payout.paid');
      while ((await states())[0] !== 'dead') await new Promise((resolve) => setTimeout(resolve, 50));
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/developers/errors');
      const failed = row(page, /payout\.paid/);
      await failed.getByRole('button', { name: 'Send again' }).click();
      while ((await recorded(seeded, 'callbacks.delivery.retried')) === 0) await page.waitForTimeout(50);
      assert.deepEqual(looked.faults, []);
    });

    test('billing leads to the provider, to subscribe and to see invoices', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const outside = (url: URL): boolean => url.origin !== seeded.origin;
      // Nothing comes of going there, so that this page stays.
      await page.route(outside, async (route) => route.fulfill({ status: 204 }));
      await looked.go('/settings/billing');
      for (const act of [/^Subscribe to/, /^Invoices and payment$/]) {
        const gone = page.waitForRequest((request) => outside(new URL(request.url())));
        await page.getByRole('button', { name: act }).first().click();
        assert.ok((await gone).isNavigationRequest());
      }
    });

    test('no act of theirs is left undone', () => {
      assert.deepEqual(
        ['screens/settings', 'screens/developers'].flatMap((folder) => seeded.undone(folder)),
        [],
      );
    });
  });

/** What the dialog shows once; it is closed. */
async function secretOf(page: Page): Promise<string> {
  const code = page.getByRole('dialog').locator('pre, code, textarea, input').first();
  await code.waitFor();
  const secret =
    (await code.evaluate((element) => ('value' in element ? String(element.value) : element.textContent))) ?? '';
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return secret.trim();
}
