import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer } from '@steward/conformance/world';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const owner = 'alice@example.com';

if (executablePath !== '')
  describe('agents in the console', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 4, products: 3 });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    /** A call of a tool, by an agent that acts for the owner. */
    const call = async (agent: string, name: string, args: object): Promise<Answer> => {
      const { world, tenant } = seeded;
      const token = await world.token({ user: owner, agent });
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return world.call(`${world.server.addresses.mcp}/t/${tenant}/p/accounting`, { token, body });
    };

    test('one that is hired is known by its first call: the page turns by itself', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/agents');
      await page.getByRole('link', { name: 'bookkeeper' }).first().waitFor();
      await page.getByRole('link', { name: 'Hire an agent' }).first().click();
      await page.getByText(`/t/${seeded.tenant}`).first().waitFor();
      await page.getByText('Waiting for the first call').waitFor();
      const { status, body } = await call('newcomer', 'service_create_party', { name: 'Landlord', supplier: true });
      assert.equal(status, 200, JSON.stringify(body));
      await page.getByText('made its first call').waitFor();
      await page.getByRole('link', { name: 'See what it does' }).click();
      await page.getByRole('heading', { name: 'Why it is here' }).waitFor();
    });

    test('one that is shut out is refused at its next call', async () => {
      const before = await call('newcomer', 'service_list_accounts', {});
      assert.equal(before.body['error'], undefined, JSON.stringify(before.body));
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/agents/newcomer');
      await page.getByRole('button', { name: 'Shut it out' }).click();
      await page.getByRole('button', { name: 'Shut it out now' }).click();
      await page.getByText('shut out', { exact: true }).waitFor();
      const after = await call('newcomer', 'service_list_accounts', {});
      assert.notEqual(after.body['error'], undefined, JSON.stringify(after.body));
      await page.getByRole('button', { name: 'Let it in again' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      // To let somebody in takes a fresh login; nothing was done by asking.
      await page.getByRole('button', { name: 'Log in again to decide' }).waitFor();
      assert.notEqual((await call('newcomer', 'service_list_accounts', {})).body['error'], undefined);
    });

    test('one that was shut out is let in again for less', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/agents/newcomer');
      await page.getByRole('button', { name: 'Let it in again' }).click();
      await page.getByRole('dialog').getByLabel('propose what people decide').uncheck();
      await page.getByRole('dialog').getByLabel('Only these tools').fill('service_list_accounts');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal((await call('newcomer', 'service_list_accounts', {})).body['error'], undefined);
      assert.notEqual((await call('newcomer', 'service_create_party', { name: 'Other' })).body['error'], undefined);
      assert.deepEqual(looked.faults, []);
    });

    test('who loses access with an agent is named before it is shut out, and restored with a login of now', async () => {
      const { world, tenant, owner: token } = seeded;
      const suspended = async (): Promise<string[]> => {
        const { body } = await world.call(`${world.server.addresses.portal}/api/suspensions`, { token, tenant });
        return (body['items'] as unknown as readonly { email: string | null }[]).map(({ email }) => String(email));
      };
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/agents/bookkeeper');
      await page.getByRole('button', { name: 'Shut it out' }).click();
      await dialog.getByText('Nothing else is suspended').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await looked.go('/agents/merchandiser');
      await page.getByRole('button', { name: 'Shut it out' }).click();
      await dialog.getByRole('listitem').filter({ hasText: 'bob@example.com member, Accountant' }).waitFor();
      assert.deepEqual(await suspended(), []);
      await dialog.getByRole('button', { name: 'Shut it out now' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(await suspended(), ['bob@example.com']);
      const row = { name: /bob@example\.com.*member.*Accountant.*merchandiser/ };
      await page.getByRole('row', row).getByRole('button', { name: 'Restore' }).waitFor();
      await looked.go('/agents');
      await page.getByRole('row', row).waitFor();
      {
        await using other = await seeded.open();
        await other.go('/settings');
        await other.page.getByRole('row', row).getByRole('button', { name: 'Restore' }).click();
        await other.page.getByRole('button', { name: 'Log in again to decide' }).waitFor();
        assert.deepEqual(await suspended(), ['bob@example.com']);
      }
      await looked.go('/settings');
      await page.getByRole('row', row).getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Restore' }).waitFor({ state: 'detached' });
      assert.deepEqual(await suspended(), []);
      assert.deepEqual(looked.faults, []);
    });

    test('no act of its screens is left undone', () => assert.deepEqual(seeded.undone('screens/agents'), []));
  });
