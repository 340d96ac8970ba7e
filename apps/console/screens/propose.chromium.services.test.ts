import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { askBooks, firstOf } from '../fixtures/books.ts';
import { openSeeded, type Seeded } from '../fixtures/browser.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

/** What people must approve here, although one of them who may decide did it alone before. */
const tools = [
  'service_create_discount',
  'service_create_invoice',
  'service_issue_document',
  'service_match_bank_line',
  'service_post_bank_line',
  'service_reconcile_account',
  'service_refund_order',
  'service_reverse_journal_entry',
  'service_update_products',
  'service_void_document',
];

/** A browser tells of what was refused, as it was meant to be. */
const isNoRefusal = (fault: string): boolean => !fault.includes('status of 403');

if (executablePath !== '')
  describe('what the policy wants people for, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 12, products: 4 });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    const books = async <T>(query: string, variables: object = {}): Promise<T> => askBooks<T>(seeded, query, variables);
    const portal = async <T>(path: string, body?: object, method = 'PUT'): Promise<T> => {
      const { world, owner: token, tenant } = seeded;
      const sent = body === undefined ? {} : { method, body };
      const answer = await world.call(`${world.server.addresses.portal}/api${path}`, { token, tenant, ...sent });
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body as T;
    };
    const policy = async (rules: object): Promise<void> => {
      await portal('/approval-policy', { ...(await portal<object>('/approval-policy')), tools: rules });
    };
    const two = { tier: 'approval', fourEyes: true } as const;
    const waiting = async (): Promise<readonly string[]> =>
      (await portal<{ items: readonly { tool: string }[] }>('/pending-actions?state=pending&limit=50')).items.map(
        ({ tool }) => tool,
      );

    test('is proposed where it was refused, and nothing is done: undo, reversal, issue, void, draft, refund, discount and product', async () => {
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        { content: 'Date,Amount,Counterparty,Description\n2026-07-04,3.30,Harbour bank,Interest' },
      );
      const party = await firstOf(seeded, 'parties(limit: 1)');
      const drafted = async (): Promise<string> => {
        const { createDocument } = await books<{ createDocument: { id: string } }>(
          'mutation Draft($input: DocumentInput!) { createDocument(kind: invoice, input: $input) { id } }',
          {
            input: {
              partyId: party,
              issueDate: '2026-07-04',
              currency: 'EUR',
              lines: [{ description: 'A lamp', unitPrice: '100', account: '4000' }],
            },
          },
        );
        return createDocument.id;
      };
      const draft = await drafted();
      const issued = await drafted();
      await books('mutation Issue($id: ID!) { issueDocument(id: $id) { number } }', { id: issued });
      const { postJournalEntry: cash } = await books<{ postJournalEntry: { id: string } }>(
        'mutation Post($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }',
        {
          input: {
            date: '2026-07-03',
            narration: 'Cash from the till',
            currency: 'EUR',
            lines: [
              { account: '1050', debit: '7.20' },
              { account: '4900', credit: '7.20' },
            ],
          },
        },
      );
      const { world, tenant, owner: token } = seeded;
      const { body: orders } = await world.call(`${world.server.addresses.commerce}/api/orders?limit=50`, {
        token,
        tenant,
      });
      const paid = (orders['items'] as unknown as readonly Record<string, string>[]).find(
        (one) => one['paymentStatus'] === 'paid',
      );
      const { body: products } = await world.call(`${world.server.addresses.commerce}/api/products?limit=1`, {
        token,
        tenant,
      });
      const product = (products['items'] as unknown as readonly Record<string, string>[])[0];

      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/money/bank/1000');
      await page.getByRole('option').filter({ hasText: '€3.30' }).click();
      await page.getByRole('button', { name: 'Post to an account' }).click();
      await page.getByRole('combobox', { name: 'Post to the account' }).fill('4900');
      await page.keyboard.press('Enter');
      await page.getByRole('option').filter({ hasText: '€3.30' }).filter({ hasText: 'explained' }).waitFor();
      await policy(Object.fromEntries(tools.map((tool) => [tool, two])));

      const proposed = [...(await waiting())];
      const left = async (tool: string): Promise<void> => {
        await page.getByText('People must approve this.').waitFor();
        assert.doesNotMatch(await page.locator('main').innerText(), /service_|POST \/api|conflict/);
        const offered = page.getByRole('button', { name: 'Propose it' });
        assert.equal(await offered.count(), 1, tool);
        await offered.click();
        await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/);
        await page.getByRole('heading', { level: 1 }).waitFor();
        proposed.push(tool);
        assert.deepEqual((await waiting()).toSorted(), proposed.toSorted());
      };
      await page.keyboard.press('u');
      await left('service_reverse_journal_entry');

      await looked.go(`/money/entries/${cash.id}`);
      await page.getByRole('button', { name: 'Reverse' }).click();
      await dialog.getByLabel('Text').fill('It was counted twice');
      await dialog.getByRole('button', { name: 'Reverse' }).click();
      await left('service_reverse_journal_entry');

      await looked.go(`/money/documents/${draft}`);
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      await dialog.getByRole('button', { name: 'Issue it now' }).click();
      await left('service_issue_document');

      await looked.go(`/money/documents/${issued}`);
      await page.getByRole('button', { name: 'Void' }).click();
      await dialog.getByRole('button', { name: 'Void' }).click();
      await left('service_void_document');

      await looked.go(`/money/documents/new?kind=invoice&party=${party}`);
      await page.getByLabel('Description').fill('A chair');
      await page.getByLabel('Price each').fill('12.00');
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await left('service_create_invoice');
      // What was proposed is no draft any more.
      await looked.go(`/money/documents/new?kind=invoice&party=${party}`);
      assert.equal(await page.getByLabel('Description').inputValue(), '');

      await looked.go(`/commerce/orders/${paid?.['id'] ?? ''}`);
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog.getByLabel(/^Goodwill/).fill('1.00');
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
      await left('service_refund_order');

      await looked.go('/commerce/discounts');
      await page.getByRole('button', { name: 'Add a discount' }).first().click();
      await dialog.getByLabel('Name').fill('Winter');
      await dialog.getByLabel('Percent').fill('5');
      await dialog.getByRole('button', { name: 'Add a discount' }).click();
      await left('service_create_discount');

      await looked.go(`/commerce/products/${product?.['id'] ?? ''}`);
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByLabel('Maker').fill('Fern');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await left('service_update_products');
      assert.deepEqual(looked.faults.filter(isNoRefusal), []);
    });

    test('is proposed by a member whose role may do it and does not decide, without a login that could', async () => {
      const { world, tenant } = seeded;
      const as = 'mia@example.com';
      const { secret } = await portal<{ secret: string }>('/invitations', { email: as, role: 'merchandiser' }, 'POST');
      await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
        token: await world.token({ user: as }),
        tenant,
        body: { secret },
      });
      await policy({ service_create_discount: { tier: 'approval' } });
      await using looked = await seeded.open({ as });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go('/commerce/discounts');
      await page.getByRole('button', { name: 'Add a discount' }).first().click();
      await dialog.getByLabel('Name').fill('Spring');
      await dialog.getByLabel('Percent').fill('5');
      await dialog.getByRole('button', { name: 'Add a discount' }).click();
      await page.getByText('People must approve this.').waitFor();
      await page.getByRole('button', { name: 'Propose it' }).click();
      await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/);
      assert.deepEqual(looked.faults.filter(isNoRefusal), []);
    });

    test('is done at once by the only approver, who allows it where it was refused', async () => {
      const { world, owner: token, tenant } = seeded;
      type Members = { items: readonly { principalType: string; principalId: string; role: string }[] };
      for (const { principalType, principalId, role } of (await portal<Members>('/members')).items)
        if (role !== 'owner') {
          const path = `/members/${principalType}/${encodeURIComponent(principalId)}`;
          await world.call(`${world.server.addresses.portal}/api${path}`, { token, tenant, method: 'DELETE' });
        }
      const limits = { fourEyesAbove: [], fourEyesAboveDaily: [], newPayeeFourEyes: true, soleApprover: false };
      await portal('/approval-policy', { ...(await portal<object>('/approval-policy')), ...limits, tools: {} });
      const stored = async (path: string) =>
        (await world.call(`${world.server.addresses.commerce}/api/orders${path}`, { token, tenant })).body;
      const orders = (await stored('?limit=50'))['items'] as unknown as readonly Record<string, string>[];
      const id = orders.find(({ paymentStatus }) => paymentStatus === 'paid')?.['id'] ?? '';
      const refunded = async () => (await stored(`/${id}`))['refunded']?.['amount'];
      const before = Number(await refunded());

      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      await looked.go(`/commerce/orders/${id}`);
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog.getByLabel(/^Goodwill/).fill('1.00');
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog.getByText('only one member may approve it').waitFor();
      assert.equal(Number(await refunded()), before);
      await dialog.getByRole('button', { name: 'Allow the only approver to decide alone' }).click();
      await dialog.getByText('You may decide alone from now on.').waitFor();
      assert.equal(Number(await refunded()), before, 'nothing is sent by itself');
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(Number(await refunded()), before + 1);
      assert.deepEqual(looked.faults.filter(isNoRefusal), []);
    });
  });
