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
    const call = async (agent: string, name: string, args: object, pillar = 'accounting'): Promise<Answer> => {
      const { world, tenant } = seeded;
      const token = await world.token({ user: owner, agent });
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return world.call(`${world.server.addresses.mcp}/t/${tenant}/p/${pillar}`, { token, body });
    };

    const grantOf = async (agent: string): Promise<object | undefined> => {
      const { world, tenant, owner: token } = seeded;
      const { body } = await world.call(`${world.server.addresses.portal}/api/agent-grants`, { token, tenant });
      const grants = body['items'] as unknown as readonly Record<string, unknown>[];
      const found = grants.find(({ agentId }) => agentId === agent);
      return found && { tiers: found['tiers'], pillars: found['pillars'], tools: found['tools'] };
    };

    test('one that is hired is known by its first call: the page turns by itself, and asks what it may do', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/agents');
      await page.getByRole('link', { name: 'bookkeeper' }).first().waitFor();
      await page.getByRole('link', { name: 'Hire an agent' }).first().click();
      await page.getByText(`/t/${seeded.tenant}`).first().waitFor();
      await page.getByText('Waiting for the first call').waitFor();
      const { status, body } = await call('newcomer', 'service_create_party', { name: 'Landlord', supplier: true });
      assert.equal(status, 200, JSON.stringify(body));
      await page.getByText('made its first call').waitFor();
      assert.deepEqual(await grantOf('newcomer'), undefined);
      const everything = page.getByLabel('Everything you may do');
      assert.equal(await everything.isChecked(), true);
      await page.getByLabel('Only some areas').check();
      await page.getByRole('button', { name: 'Save' }).click();
      const asked = page.locator('input:focus:invalid');
      await asked.waitFor();
      assert.equal(await asked.evaluate((box: HTMLInputElement) => box.validationMessage), 'Tick at least one.');
      assert.deepEqual(await grantOf('newcomer'), undefined);
      await page.getByLabel('books').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').getByText('May do: everything that its person may, in books').waitFor();
      assert.deepEqual(await grantOf('newcomer'), { tiers: null, pillars: ['accounting'], tools: null });
      await page.getByRole('link', { name: 'See what it does' }).click();
      await page.getByRole('heading', { name: 'Why it is here' }).waitFor();
    });

    test('the prompt asks for a call that leaves a record, though another agent has followed it', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      for (const [agent, name] of [
        ['first-claude', 'Claude, 27 November, 14:05'],
        ['second-claude', 'Claude, 27 November, 14:06'],
      ] as const) {
        await looked.go('/agents/hire');
        await page.getByText('whose name is yours and the present time').waitFor();
        await page.getByText('Waiting for the first call').waitFor();
        const { body } = await call(agent, 'service_upsert_contact', { name }, 'crm');
        assert.equal(body['error'], undefined, JSON.stringify(body));
        await page.getByText('made its first call').waitFor();
      }
    });

    test('one that called before the page was opened is asked about too, until somebody has said what it may do', async () => {
      await call('early-bird', 'service_upsert_contact', { name: 'Early bird' }, 'crm');
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/agents/hire');
      await page.getByText('Waiting for the first call').waitFor();
      await page.getByRole('link', { name: 'early-bird' }).click();
      await page.getByText('called last').waitFor();
      await page.getByLabel('Read only').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('May do: look').waitFor();
      assert.deepEqual(await grantOf('early-bird'), { tiers: ['read'], pillars: null, tools: null });
      await looked.go('/agents/hire');
      await page.getByRole('link', { name: 'second-claude' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'early-bird' }).count(), 0);
      assert.deepEqual(looked.faults, []);
    });

    test('one whose id is that of a member of every object is called by it where people decide', async () => {
      const id = 'constructor';
      const { body } = await call(id, 'service_post_journal_entry', {
        date: new Date().toISOString().slice(0, 10),
        currency: 'EUR',
        narration: 'By a client of an unfortunate name',
        lines: [
          { account: '6950', debit: '15.00' },
          { account: '1590', credit: '15.00' },
        ],
      });
      const action = String(body['result']?.['structuredContent']?.['pending_action_id']);
      await using looked = await seeded.open();
      for (const path of ['/approvals', `/approvals/${action}`, '/']) {
        await looked.go(path);
        await looked.page.locator('main').getByText(id).first().waitFor();
      }
      assert.deepEqual(looked.faults, []);
    });

    test('one that registered with a name is called by it, with its id in parentheses in full, wherever people look or decide', async () => {
      const { world } = seeded;
      const { addresses } = world.server;
      const named = `Claude \u202E(bookkeeper)\u0007${'W'.repeat(90)}`;
      const { body: client } = await world.call(`${addresses.issuer}/register`, {
        body: { client_name: named, redirect_uris: ['https://assistant.example/back'] },
      });
      const id = String(client['client_id']);
      const { body } = await call(id, 'service_post_journal_entry', {
        date: new Date().toISOString().slice(0, 10),
        currency: 'EUR',
        narration: 'By a client with a name',
        lines: [
          { account: '6950', debit: '85.00' },
          { account: '1590', credit: '85.00' },
        ],
      });
      const action = String(body['result']?.['structuredContent']?.['pending_action_id']);
      const found: string[] = [];
      for (const width of [1366, 360]) {
        await using looked = await seeded.open({ width });
        const { page } = looked;
        for (const path of ['/approvals', `/approvals/${action}`, '/agents', `/agents/${id}`, '/activity', '/']) {
          await looked.go(path);
          const shown = page.locator('main').getByText(id).first();
          await shown.waitFor();
          // Whole, and in what is to be seen of everything around it.
          const cut = await shown.evaluate((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            for (let around = element.parentElement; around !== null; around = around.parentElement) {
              const box = around.getBoundingClientRect();
              if (getComputedStyle(around).overflow === 'visible') continue;
              if (box.left > left + 1 || box.right < right - 1 || box.top > top + 1 || box.bottom < bottom - 1)
                return around.className;
            }
            return undefined;
          });
          if (cut !== undefined) found.push(`${path} at ${width}: cut by ${cut}`);
          const text = (await page.locator('main').textContent()) ?? '';
          if (!text.includes('Claude U+202E(bookkeeper)')) found.push(`${path} at ${width}: without the name`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth);
          if (wide > 0) found.push(`${path} at ${width}: ${wide} px wider`);
        }
        found.push(...looked.faults);
      }
      assert.deepEqual(found, []);
    });

    test('a grant of no area is said as nothing', async () => {
      const { world, tenant, owner: token } = seeded;
      const body = { agentId: 'idler', pillars: [] };
      const { status } = await world.call(`${world.server.addresses.portal}/api/agent-grants`, { token, tenant, body });
      assert.ok(status < 300, String(status));
      await using looked = await seeded.open();
      await looked.go('/agents/idler');
      await looked.page.getByText('nothing', { exact: true }).waitFor();
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

    test('one that is hired to propose proposes drafts too, and one that is hired to read does nothing else', async () => {
      for (const [agent, choice, tiers] of [
        ['proposer', 'Propose, people decide', ['read', 'approval']],
        ['reader', 'Read only', ['read']],
      ] as const) {
        await using looked = await seeded.open({ deciding: true });
        const { page } = looked;
        await looked.go('/agents/hire');
        await page.getByText('Waiting for the first call').waitFor();
        await call(agent, 'service_create_party', { name: agent, supplier: true });
        await page.getByLabel(choice).check();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('May do:').waitFor();
        assert.deepEqual(await grantOf(agent), { tiers, pillars: null, tools: null });
        const drafted = (await call(agent, 'service_create_party', { name: 'Other' })).body;
        if (agent === 'reader') assert.notEqual(drafted['error'], undefined);
        else assert.equal(String(drafted['result']?.['structuredContent']?.['status']), 'pending_approval');
        assert.equal((await call(agent, 'service_list_accounts', {})).body['error'], undefined);
      }
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
      // Another agent's page tells of nobody who did not come through it.
      await looked.go('/agents/bookkeeper');
      await page.getByRole('heading', { name: 'What was refused' }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByRole('row', row).count(), 0);
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
      const members = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /bob@example\.com/ });
      await members.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Restore' }).first().waitFor({ state: 'detached' });
      assert.deepEqual(await suspended(), []);
      assert.deepEqual(looked.faults, []);
    });

    test('no act of its screens is left undone', () => assert.deepEqual(seeded.undone('screens/agents'), []));
  });
