import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { askBooks } from '../../fixtures/books.ts';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('money in the console, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    const books = async <T>(query: string, variables: object = {}): Promise<T> => askBooks<T>(seeded, query, variables);
    const openLines = async (): Promise<number> => {
      const { bankAccounts } = await books<{ bankAccounts: readonly { unmatchedLines: number }[] }>(
        '{ bankAccounts { unmatchedLines } }',
      );
      return bankAccounts[0]?.unmatchedLines ?? 0;
    };

    test('twenty lines of a bank are explained by keyboard alone', async () => {
      const rows = Array.from({ length: 20 }, (_, at) => ({
        day: `2026-06-${String(at + 1).padStart(2, '0')}`,
        amount: `${1200 + at}.${String(10 + at)}`,
        who: `Client ${String.fromCodePoint(65 + at)} and sons`,
      }));
      for (const { day, amount, who } of rows)
        await books('mutation Post($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }', {
          input: {
            date: day,
            narration: `Workshop for ${who}`,
            currency: 'EUR',
            lines: [
              { account: '1000', debit: amount },
              { account: '4900', credit: amount },
            ],
          },
        });
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        {
          content: [
            'Date,Amount,Counterparty,Description',
            ...rows.map(({ day, amount, who }) => `${day},${amount},${who},Transfer`),
          ].join('\n'),
        },
      );
      const open = await openLines();
      assert.ok(open >= 20);

      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/bank/1000');
      const status = page.getByRole('status').filter({ hasText: 'explain' });
      const suggested = page.locator('ol button[aria-pressed=true]');
      for (let done = 1; done <= open; done += 1) {
        await suggested.waitFor();
        await page.keyboard.press('Enter');
        await status.filter({ hasText: `${done} explained now` }).waitFor();
      }
      assert.match(await status.innerText(), /Everything is explained/);
      assert.equal(await openLines(), 0);

      await page.keyboard.press('u');
      await status.filter({ hasText: '1 line to explain' }).waitFor();
      await suggested.waitFor();
      await page.keyboard.press('Enter');
      await status.filter({ hasText: 'Everything is explained' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a line that nothing explains is posted to an account by keys, after a fresh login that sends nothing by itself', async () => {
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        {
          content: 'Date,Amount,Counterparty,Description\n2026-07-02,-31.07,Kiosk,Card payment',
        },
      );
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/bank/1000');
      await page.getByRole('heading', { name: 'Kiosk' }).waitFor();
      await page.keyboard.press('p');
      await page.getByRole('combobox', { name: 'Post to the account' }).waitFor();
      await page.keyboard.type('office');
      await page.keyboard.press('Enter');
      await logInAgain(page);
      assert.equal(await openLines(), 1);
      await page.getByRole('combobox', { name: 'Post to the account' }).press('Enter');
      await page.getByRole('status').filter({ hasText: 'Everything is explained' }).waitFor();
      // Where nobody may post yet, the API says so: no fault of the page.
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('401')),
        [],
      );
    });

    test('a figure of the profit and loss is followed to the call of the agent in three clicks', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/reports/profit-and-loss');
      await page
        .getByRole('row', { name: /6100 ?Rent/ })
        .getByRole('link')
        .click();
      await page.getByRole('heading', { level: 1, name: '6100 Rent' }).waitFor();
      await page
        .getByRole('link', { name: /Workshop rent/ })
        .first()
        .click();
      await page.getByRole('button', { name: /An agent asked for it.*bookkeeper/ }).click();
      await page.getByText('service_post_bank_line').first().waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a report that is printed has no chrome, and its heads are repeated', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/reports/trial-balance');
      await page.emulateMedia({ media: 'print' });
      const printed = await page.locator('body').innerText();
      assert.match(printed, /^Trial balance\s+Juniper & Clay · on \d/);
      assert.match(printed, /Accounts receivable/);
      for (const chrome of ['Search', 'Settings', 'CSV', 'Print', 'Compare with', 'Journal'])
        assert.ok(!printed.includes(chrome), `${chrome} is printed`);
      assert.equal(
        await page.locator('thead').evaluate((head) => getComputedStyle(head).display),
        'table-header-group',
      );
      const pdf = await page.pdf({ format: 'A4' });
      assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
      assert.deepEqual(looked.faults, []);
    });

    test('a statement is imported as a file, and the answer says why lines were left out', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const rows = [
        'Date,Amount,Counterparty,Description',
        '2026-08-03,-12.50,Kiosk,Card',
        '2026-08-04,-3.20,Kiosk,Card',
      ];
      const bring = async (lines: readonly string[]): Promise<void> => {
        await looked.go('/money/bank');
        await page.getByRole('button', { name: 'Import a statement' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.locator('input[type=file]').setInputFiles({
          name: 'statement.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from(lines.join('\n')),
        });
        await dialog.getByText('Read as CSV.').waitFor();
        await dialog.getByRole('button', { name: 'Import a statement' }).click();
      };
      await bring(rows.slice(0, 2));
      await page.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor();
      await bring(rows);
      await page.getByRole('row', { name: /Imported before/ }).waitFor();
      await page.getByText('Left out: 2').waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a document is found by its number from every page', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings');
      await page.keyboard.press('Control+k');
      await page.locator('dialog input:focus').waitFor();
      await page.keyboard.type('inv-00003');
      await page.getByRole('option', { name: /INV-00003/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'INV-00003' }).waitFor();
      await looked.go('/money/documents?number=INV-00003');
      await page.getByRole('link', { name: 'INV-00003' }).waitFor();
      assert.equal(await page.getByRole('link', { name: /^INV-/ }).count(), 1);
      assert.deepEqual(looked.faults, []);
    });

    test('an invoice is drafted by hand with its total, issued after a fresh login, and paid', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/documents/new?kind=invoice');
      await page.getByLabel('Party').selectOption({ index: 1 });
      await page.getByLabel('Description').fill('Forty cups');
      await page.getByLabel('Quantity').fill('40');
      await page.getByLabel('Price each').fill('12.35');
      await page.getByLabel('Tax rate').selectOption({ label: 'VAT 19 %' });
      await page.getByText('€587.86').waitFor();
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByRole('heading', { level: 1, name: 'Invoice, draft' }).waitFor();
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      const asked = page.getByRole('dialog', { name: 'Issue' });
      await asked.getByText('€587.86').waitFor();
      await asked.getByRole('button', { name: 'Issue it now' }).click();
      await logInAgain(page);
      await asked.getByRole('button', { name: 'Issue it now' }).click();
      await page.getByRole('heading', { level: 1, name: /^INV-\d+$/ }).waitFor();
      await page.getByRole('link', { name: 'Record a payment' }).click();
      assert.equal(await page.getByLabel('Amount EUR').inputValue(), '587.86');
      await page.getByRole('button', { name: 'Record a payment' }).click();
      await page.getByRole('heading', { level: 1, name: /^PAY-\d+$/ }).waitFor();
      await page.getByRole('link', { name: /^INV-\d+$/ }).click();
      await page.getByText('Paid', { exact: true }).waitFor();
    });
  });

/** In the window that the button opens. */
async function logInAgain(page: Page): Promise<void> {
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Log in again to decide' }).click(),
  ]);
  await window.locator('input[name=email]').fill('alice@example.com');
  await window.locator('button[value=login]').click();
  await page.getByRole('button', { name: 'Log in again to decide' }).waitFor({ state: 'detached' });
}
