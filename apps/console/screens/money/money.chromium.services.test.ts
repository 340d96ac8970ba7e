import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { brokenWords } from '../../fixtures/broken-words.ts';
import { askBooks } from '../../fixtures/books.ts';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { logInAgain } from '../../fixtures/log-in-again.ts';
import { money as german } from '../../words/de/money.ts';
import { money } from '../../words/en/money.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const pdftotext = process.env['PDFTOTEXT_PATH'] ?? '';

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

    const twoForNewPayees = async (newPayeeFourEyes: boolean): Promise<void> => {
      const policy = `${seeded.world.server.addresses.portal}/api/approval-policy`;
      const as = { token: seeded.owner, tenant: seeded.tenant };
      const { body: before } = await seeded.world.call(policy, as);
      const { status } = await seeded.world.call(policy, {
        ...as,
        method: 'PUT',
        body: { ...before, newPayeeFourEyes },
      });
      assert.equal(status, 200);
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

    test('a line, an entry and a reversal that one person may not pay out alone are left to approvers where they are refused', async () => {
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        { content: 'Date,Amount,Counterparty,Description\n2026-07-03,-4.50,Harbour bank,Account fee' },
      );
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
      await twoForNewPayees(true);
      try {
        await using looked = await seeded.open({ deciding: true });
        const { page } = looked;
        const left = async (said: RegExp): Promise<void> => {
          await page.getByText('People must approve this.').waitFor();
          assert.doesNotMatch(await page.locator('main').innerText(), /service_|POST \/api/);
          await page.getByRole('button', { name: 'Propose it' }).click();
          await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/);
          await page.getByText(said).first().waitFor();
        };
        await looked.go('/money/bank/1000');
        await page.getByText('Harbour bank').first().click();
        await page.getByRole('button', { name: 'Post to an account' }).click();
        await page.getByRole('combobox', { name: 'Post to the account' }).fill('Bank charges');
        await page.keyboard.press('Enter');
        await left(/^Would post/);
        await looked.go(`/money/entries/${cash.id}`);
        await page.getByRole('button', { name: 'Reverse' }).click();
        await page.getByRole('dialog').getByLabel('Text').fill('The till was counted twice');
        await page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click();
        await left(/^Would reverse/);
        await page.getByText('The till was counted twice').first().waitFor();
      } finally {
        await twoForNewPayees(false);
      }
      const { bankLines } = await books<{ bankLines: { items: readonly { id: string; counterparty: string }[] } }>(
        '{ bankLines(account: "1000", unmatched: true) { items { id counterparty } } }',
      );
      const left = bankLines.items.filter(({ counterparty }) => counterparty === 'Harbour bank');
      assert.equal(left.length, 1, 'what is proposed explains nothing yet');
      for (const { id } of left)
        await books('mutation Post($id: ID!) { postBankLine(lineId: $id, account: "6900") { id } }', { id });
    });

    test('to undo a posted line is one act: where people must approve it, nothing is done before they did', async () => {
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        { content: 'Date,Amount,Counterparty,Description\n2026-07-04,3.30,Harbour bank,Interest' },
      );
      const before = await openLines();
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const interest = page.getByRole('option').filter({ hasText: '€3.30' });
      const post = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Post to an account' }).click();
        await page.getByRole('combobox', { name: 'Post to the account' }).fill('4900');
        await page.keyboard.press('Enter');
        await interest.filter({ hasText: 'explained' }).waitFor();
        assert.equal(await openLines(), before - 1);
      };
      await looked.go('/money/bank/1000');
      await interest.click();
      await post();
      await page.keyboard.press('u');
      await page.getByRole('button', { name: 'Post to an account' }).waitFor();
      assert.equal(await openLines(), before);
      await post();
      await twoForNewPayees(true);
      try {
        await page.keyboard.press('u');
        await page.getByText('People must approve this.').waitFor();
        assert.equal(await openLines(), before - 1);
        await page.getByRole('button', { name: 'Propose it' }).click();
        await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/);
        await page.getByText(/^Would reverse entry .* and open its bank line again/).waitFor();
        assert.equal(await openLines(), before - 1);
      } finally {
        await twoForNewPayees(false);
      }
    });

    test('what explains a line since an earlier sitting is undone there, and nothing is offered where there is nothing to undo', async () => {
      const before = await openLines();
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const keys = page.locator('main li').filter({ hasText: /^u\s*Undo$/ });
      await looked.go('/money/bank/1000?lines=all');
      await page.getByRole('option').filter({ hasText: 'Harbour bank' }).filter({ hasText: '€4.50' }).click();
      await page.getByRole('button', { name: 'Undo what explains it' }).click();
      await page.getByRole('button', { name: 'Post to an account' }).waitFor();
      // What was posted for the line alone goes with it.
      const { journalEntries } = await books<{
        journalEntries: { items: readonly { kind: string; narration: string }[] };
      }>('{ journalEntries(from: "2026-07-03", to: "2026-07-03") { items { kind narration } } }');
      assert.ok(journalEntries.items.some(({ kind, narration }) => kind === 'reversal' && narration === 'Account fee'));
      await keys.waitFor({ state: 'detached' });
      const sold = page.getByRole('option').filter({ hasText: 'Client A and sons' });
      await sold.click();
      await keys.waitFor();
      await page.keyboard.press('u');
      await sold.filter({ hasNotText: 'explained' }).waitFor();
      assert.equal(await openLines(), before + 2);
      await page.locator('ol button[aria-pressed=true]').waitFor();
      await page.keyboard.press('Enter');
      await sold.filter({ hasText: 'explained' }).waitFor();
      await page.getByRole('option').filter({ hasText: 'Harbour bank' }).filter({ hasText: '€4.50' }).click();
      await page.getByRole('button', { name: 'Post to an account' }).click();
      await page.getByRole('combobox', { name: 'Post to the account' }).fill('6900');
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: '2 explained now' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a line that names an open invoice pays it by Enter, and the payment stays where the match is undone', async () => {
      const { parties } = await books<{ parties: { items: readonly { id: string; customer: boolean }[] } }>(
        '{ parties(limit: 50) { items { id customer } } }',
      );
      const { createDocument: draft } = await books<{ createDocument: { id: string } }>(
        'mutation Draft($input: DocumentInput!) { createDocument(kind: invoice, input: $input) { id } }',
        {
          input: {
            partyId: parties.items.find(({ customer }) => customer)?.id,
            issueDate: '2026-07-05',
            lines: [{ description: 'Tuning', quantity: '1', unitPrice: '87.65', account: '4000' }],
          },
        },
      );
      const { issueDocument: issued } = await books<{ issueDocument: { number: string } }>(
        'mutation Issue($id: ID!) { issueDocument(id: $id) { number } }',
        { id: draft.id },
      );
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        { content: `Date,Amount,Counterparty,Description\n2026-07-07,80.00,Somebody,${issued.number} less discount` },
      );
      const state = async (): Promise<unknown> =>
        (
          await books<{ document: { open: { amount: string } } }>(
            'query Open($id: ID!) { document(id: $id) { open { amount } } }',
            { id: draft.id },
          )
        ).document.open.amount;
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/money/bank/1000?lines=open');
      const line = page.getByRole('option').filter({ hasText: 'Somebody' });
      await line.click();
      const suggested = page.locator('ol button[aria-pressed=true]');
      await suggested.filter({ hasText: `Pays ${issued.number}` }).waitFor();
      await page.keyboard.press('Enter');
      await line.filter({ hasText: 'explained' }).waitFor();
      assert.equal(await state(), '7.65');
      await line.click();
      await page.keyboard.press('u');
      await suggested.filter({ hasText: /^1Payment PAY-/ }).waitFor();
      assert.equal(await state(), '7.65');
      await page.keyboard.press('Enter');
      await line.filter({ hasText: 'explained' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a part of a line that is no amount explains nothing, and what is typed on is kept', async () => {
      await books('mutation Post($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }', {
        input: {
          date: '2026-07-05',
          narration: 'A stamp',
          currency: 'EUR',
          lines: [
            { account: '1000', debit: '41.09' },
            { account: '4900', credit: '41.09' },
          ],
        },
      });
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        { content: 'Date,Amount,Counterparty,Description\n2026-07-06,31.09,Stamps,Transfer' },
      );
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/bank/1000?lines=open');
      const before = await openLines();
      await page.getByText('Stamps').first().click();
      await page.getByRole('button', { name: 'Split' }).click();
      await page.getByRole('option', { name: /A stamp/ }).click();
      const part = page.getByRole('textbox', { name: /A stamp/ });
      await part.fill('31,');
      const explain = page.getByRole('button', { name: /Match|Explain/ }).first();
      assert.equal(await explain.isDisabled(), true);
      await part.fill('31,09');
      await explain.click();
      await page.getByRole('status').filter({ hasText: '1 explained now' }).waitFor();
      assert.equal(await openLines(), before - 1);
      assert.deepEqual(looked.faults, []);
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
      await page.getByText('Post a bank line').first().waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a bill shows both calls of the agent, that which drafted it and that which issued it', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/documents?number=BILL-00001');
      await page.getByRole('link', { name: 'BILL-00001' }).click();
      await page.getByRole('button', { name: /A document was drafted.*bookkeeper/ }).waitFor();
      await page.getByRole('button', { name: /An agent asked for it.*bookkeeper/ }).waitFor();
      await page.getByRole('button', { name: /It was approved.*alice@example.com/ }).waitFor();
      await page.getByRole('button', { name: /A document was issued.*bookkeeper/ }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    const figuresIn = (text: string): string[] =>
      [...text.replaceAll('€', '').matchAll(/[-−]?\d[\d,]*\.\d\d/g)].map(([figure]) => figure);

    test('the profit that Home tells leads to a report of the same two figures', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/');
      const figure = page.getByRole('link', { name: /^Profit this month/ });
      const told = figuresIn(await figure.innerText());
      assert.equal(told.length, 2, await figure.innerText());
      await figure.click();
      const result = page.getByRole('row', { name: /^Result/ });
      await result.waitFor();
      const cells = await result.getByRole('cell').allInnerTexts();
      // Of nothing, as on the first of a month, a report has a dash.
      assert.deepEqual(
        cells.slice(0, 2).map((cell) => figuresIn(cell)[0] ?? (cell.trim() === '–' ? '0.00' : cell)),
        told,
      );
      assert.deepEqual(looked.faults, []);
    });

    test('what Home counts as overdue leads to what was counted, and nothing else', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/');
      const item = page.getByRole('link', { name: 'Invoices that customers pay late' });
      const [counted] = /€[\d.,]+/.exec((await item.textContent()) ?? '') ?? [];
      await item.click();
      await page.getByRole('heading', { level: 1, name: 'Owed to you' }).waitFor();
      const total = page.getByRole('row', { name: /^Total/ });
      await total.waitFor();
      assert.equal(`€${(await total.getByRole('cell').last().textContent())?.trim()}`, counted);
      assert.equal(await page.getByRole('columnheader', { name: 'Not due' }).count(), 0);
      await page.getByLabel('Status').selectOption('');
      await page.getByRole('columnheader', { name: 'Not due' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('where bank and books differ, the entries are listed that no line explains', async () => {
      const { reconciliation } = await books<{ reconciliation: { outstanding: { amount: string } } }>(
        `query Standing($input: ReconciliationInput!) { reconciliation(input: $input) { outstanding { amount } } }`,
        { input: { account: '1000', to: new Date().toISOString().slice(0, 10), closing: '0.00' } },
      );
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/bank/1000');
      const shown = page.getByRole('table', { name: 'Entries that explain no line yet' });
      const show = page.getByRole('button', { name: 'Show them' });
      await show.or(shown).first().waitFor();
      if (await show.isVisible()) await show.click();
      await shown.getByRole('row').nth(1).waitFor();
      const amounts = await shown.locator('tbody tr td:last-child').allTextContents();
      const cents = (text: string): number => Number(text.replaceAll(/[^\d-]/g, ''));
      assert.equal(
        amounts.reduce((sum, one) => sum + cents(one), 0),
        cents(reconciliation.outstanding.amount),
      );
      await shown.getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: /^Entry / }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('on a phone names in a report are broken between their words alone, and fit beside a figure', async () => {
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      for (const report of ['profit-and-loss', 'balance-sheet', 'trial-balance']) {
        await looked.go(`/money/reports/${report}`);
        const names = page.locator('main th[scope=row]');
        await names.first().waitFor();
        assert.deepEqual(await page.evaluate(brokenWords, 'main th[scope=row]'), [], report);
        const widths = await names
          .locator('bdi')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
        assert.ok(Math.max(...widths) <= 0.42 * 360 + 1, `${report}: ${Math.max(...widths)} px`);
      }
      assert.deepEqual(looked.faults, []);
    });

    test('on a phone a trial balance shows both of its columns, also beside a scroll bar that takes room', async () => {
      await using looked = await seeded.open({ width: 345 });
      const { page } = looked;
      await looked.go('/money/reports/trial-balance');
      const frame = page.getByRole('group', { name: 'Trial balance' });
      await frame.getByRole('row').nth(3).waitFor();
      assert.equal(await frame.evaluate((one) => one.scrollWidth - one.clientWidth), 0);
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
      assert.deepEqual(looked.faults, []);
    });

    if (pdftotext !== '')
      test('each report as a PDF has its heading and every figure, and nothing of the navigation', async () => {
        await using looked = await seeded.open();
        const { page } = looked;
        for (const report of Object.keys(money.reports)) {
          await looked.go(`/money/reports/${report}`);
          await page.locator('main table').first().waitFor();
          const title = (await page.locator('h1').first().textContent()) ?? '';
          assert.notEqual(title, '', report);
          const figures = await page.locator('main table:visible').locator('td, th[scope=row]').allInnerTexts();
          const chrome = await page.locator('nav a').allInnerTexts();
          const run = promisify(execFile)(pdftotext, ['-layout', '-', '-'], { maxBuffer: 10_000_000 });
          run.child.stdin?.end(await page.pdf({ format: 'A4' }));
          // Where a line is broken is the printer's affair.
          const bare = (text: string): string => text.replaceAll(/\s/g, '');
          const printed = bare((await run).stdout);
          assert.ok(printed.includes(bare(title)), `${report} has no heading: ${printed.slice(0, 200)}`);
          const texts = figures.flatMap((text) => text.split('\n')).map(bare);
          assert.ok(texts.filter((text) => /\d/.test(text)).length > 3, report);
          assert.deepEqual(
            texts.filter((text) => /^\W?\d/.test(text) && !printed.includes(text)),
            [],
            report,
          );
          const words = printed.split(bare(title)).join('');
          assert.deepEqual(
            chrome
              .map(bare)
              .filter(
                (text) => ['Approvals', 'Activity', 'Developers', 'Journal'].includes(text) && words.includes(text),
              ),
            [],
            report,
          );
        }
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
        await dialog.getByText('statement.txt: Read as CSV.').waitFor();
        // Only an empty input tells of a mended file of the same name.
        assert.equal(await dialog.locator('input[type=file]').inputValue(), '');
        // A login that ended meanwhile takes the page along, and not the file.
        await looked.go('/money/bank');
        await page.getByRole('button', { name: 'Import a statement' }).click();
        await dialog.getByText('statement.txt: Read as CSV.').waitFor();
        await dialog.getByRole('button', { name: 'Import a statement' }).click();
      };
      await bring(rows.slice(0, 2));
      await page.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor();
      await bring(rows);
      await page.getByRole('row', { name: /Imported before/ }).waitFor();
      await page.getByText('Left out: line 2 of the file').waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('a statement in ISO-8859-1, as savings banks export it, keeps its letters', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/bank');
      await page.getByRole('button', { name: 'Import a statement' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'umsatz.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          [
            '"Auftragskonto";"Buchungstag";"Valutadatum";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Betrag";"Waehrung"',
            '"DE02120300000000202051";"05.08.26";"05.08.26";"Töpfe für März";"Großhandel AG";"-282,41";"EUR"',
          ].join('\r\n'),
          'latin1',
        ),
      });
      await dialog.getByText('umsatz.csv: Read as CSV.').waitFor();
      await dialog.getByRole('button', { name: 'Import a statement' }).click();
      await dialog.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor();
      await looked.go('/money/bank/1000');
      await page.getByText('Großhandel AG').first().waitFor();
      const { bankLines } = await books<{
        bankLines: {
          items: readonly { counterparty: string; description: string; day: string; amount: { amount: string } }[];
        };
      }>(
        '{ bankLines(account: "1000", unmatched: true) { items { counterparty description day amount { amount } } } }',
      );
      assert.deepEqual(
        bankLines.items.filter(({ counterparty }) => counterparty === 'Großhandel AG'),
        [
          {
            counterparty: 'Großhandel AG',
            description: 'Töpfe für März',
            day: '2026-08-05',
            amount: { amount: '-282.41' },
          },
        ],
      );
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
      await page.getByRole('button', { name: 'Change the party' }).click();
      const changing = page.getByRole('dialog', { name: 'Change the party' });
      await changing.getByLabel('Address').fill('Ring 1\n\n1010 Wien\n');
      await changing.getByLabel('VAT number').fill('?');
      await changing.getByRole('button', { name: 'Save' }).click();
      await changing.getByText('Give 2 to 20 letters').first().waitFor();
      await changing.getByLabel('VAT number').fill('ATU12345678');
      await changing.getByRole('button', { name: 'Save' }).click();
      await changing.waitFor({ state: 'detached' });
      await page.getByText('Ring 1\n1010 Wien\nVAT no. ATU12345678').waitFor();
      // A draft keeps no name of whoever sells yet; its PDF has that of the organization.
      await page
        .locator('main dd')
        .filter({ hasText: /^Juniper & Clay\s*Oderberger/ })
        .waitFor();
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      const asked = page.getByRole('dialog', { name: 'Issue' });
      await asked.getByText('Ring 1\n1010 Wien\nVAT no. ATU12345678').waitFor();
      await asked
        .locator('dd')
        .filter({ hasText: /^Juniper & Clay\s*Oderberger/ })
        .waitFor();
      assert.equal(await asked.getByText('Your address is not on it yet').count(), 0);
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

    test('a credit note says where all of an invoice’s credit more than it, as a draft, issued, and before it is approved', async () => {
      const { parties } = await books<{ parties: { items: readonly { id: string; customer: boolean }[] } }>(
        '{ parties { items { id customer } } }',
      );
      const partyId = parties.items.find(({ customer }) => customer)?.id;
      const draft = async (kind: string, unitPrice: string, credits?: string): Promise<string> => {
        const { createDocument } = await books<{ createDocument: { id: string } }>(
          'mutation Draft($kind: DocumentKind!, $input: DocumentInput!) { createDocument(kind: $kind, input: $input) { id } }',
          {
            kind,
            input: {
              partyId,
              issueDate: '2026-07-04',
              currency: 'EUR',
              credits,
              lines: [{ description: 'A lamp', unitPrice, quantity: '1', account: '4000' }],
            },
          },
        );
        return createDocument.id;
      };
      const issue = async (id: string): Promise<string> => {
        const { issueDocument } = await books<{ issueDocument: { number: string } }>(
          'mutation Issue($id: ID!) { issueDocument(id: $id) { number } }',
          { id },
        );
        return issueDocument.number;
      };
      const invoice = await draft('invoice', '100');
      const number = await issue(invoice);
      const whole = await draft('credit_note', '100', invoice);
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const told = page.getByRole('note').filter({ hasText: 'are credited' });
      await looked.go(`/money/documents/${whole}`);
      await page.getByRole('link', { name: number }).waitFor();
      assert.equal(await told.count(), 0);
      await issue(whole);
      const more = await draft('credit_note', '20', invoice);
      await looked.go(`/money/documents/${more}`);
      await told.waitFor();
      assert.equal(
        await told.innerText(),
        `With this, €120.00 of €100.00 of ${number} are credited, €20.00 of that in drafts: more than it.`,
      );
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      await page.getByRole('dialog').getByRole('note').filter({ hasText: '€120.00 of €100.00' }).waitFor();

      const proposed = await seeded.world.call(`${seeded.world.server.addresses.portal}/api/pending-actions`, {
        token: seeded.owner,
        tenant: seeded.tenant,
        body: { tool: 'service_issue_document', arguments: { document_id: more } },
      });
      assert.match(String(proposed.body['summary']), /With this, 120\.00 of 100\.00 EUR of INV-\d+ are credited/);
      await looked.go(`/approvals/${String(proposed.body['id'])}`);
      await told.waitFor();
      assert.equal(await told.innerText(), `With this, €120.00 of €100.00 of ${number} are credited: more than it.`);

      await issue(more);
      await looked.go(`/money/documents/${more}`);
      await told.waitFor();
      assert.equal(await told.innerText(), `With this, €120.00 of €100.00 of ${number} are credited: more than it.`);

      // The same from the invoice, where the next credit begins: of its party, over nothing where nothing is left.
      await looked.go(`/money/documents/${invoice}`);
      const credits = page.getByRole('table', { name: 'Credited by' });
      await credits.waitFor();
      assert.equal(await credits.getByRole('row').count(), 3);
      await page
        .getByText('Credited: €120.00 of €100.00. More is credited than it is over.', { exact: true })
        .waitFor();
      await page.getByRole('link', { name: 'Credit', exact: true }).click();
      await page.waitForURL(/\/money\/documents\/new\?kind=credit_note&credits=/);
      await page.getByRole('note').filter({ hasText: 'Credited: €120.00 of €100.00' }).waitFor();
      assert.equal(await page.getByLabel('Description').inputValue(), '');
      assert.equal(await page.getByLabel('Price each').inputValue(), '');
      await page.getByLabel('Description').fill('A shade');
      await page.getByLabel('Price each').fill('5.00');
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByRole('heading', { level: 1, name: 'Credit note, draft' }).waitFor();
      await page.getByRole('link', { name: number }).click();
      await credits.getByRole('row').nth(3).waitFor();
      assert.equal(await credits.getByRole('row').count(), 4);
      await page.getByText('Credited: €125.00 of €100.00, €5.00 of that in drafts').waitFor();

      const lamp = await draft('invoice', '100');
      await issue(lamp);
      await looked.go(`/money/documents/${lamp}`);
      await page.getByRole('link', { name: 'Credit', exact: true }).click();
      await page.waitForURL(/&credits=/);
      assert.equal(await page.getByLabel('Description').inputValue(), 'A lamp');
      assert.equal(await page.getByLabel('Price each').inputValue(), '100.00');
      await draft('credit_note', '30', lamp);
      await looked.go(`/money/documents/${lamp}`);
      await page.getByRole('link', { name: 'Credit', exact: true }).click();
      await page
        .getByRole('note')
        .filter({ hasText: 'Credited: €30.00 of €100.00, €30.00 of that in drafts. €70.00 is left to credit.' })
        .waitFor();
      assert.equal(await page.getByLabel('Price each').inputValue(), '');
      assert.deepEqual(looked.faults, []);
    });

    test('what was left empty is asked for in words of the page', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/documents/new?kind=invoice');
      await page.getByRole('button', { name: 'Save the draft' }).click();
      const told = page.getByRole('alert');
      await told.getByText('Choose one.').first().waitFor();
      assert.match((await told.innerText()).replaceAll(/\s+/g, ' '), /Party Choose one\./);
      assert.doesNotMatch(await page.locator('main').innerText(), /UUID|\/input|invalid_request/);
      await page.getByLabel('Party').selectOption({ index: 1 });
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await told.getByText('Fill this in.').first().waitFor();
      assert.doesNotMatch(await page.locator('main').innerText(), /Choose one\.|\/input|invalid_request/);
    });

    test('a payment that goes out can be left to another person: it waits, and nothing is paid', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/money/payments/new');
      await page.getByLabel('Direction').selectOption('made');
      await page.getByLabel('Find by name').fill('Clay and Co');
      const add = page.getByRole('button', { name: 'Add Clay and Co' });
      await add.click();
      await add.waitFor({ state: 'detached' });
      await page.getByLabel('Amount EUR').fill('no amount');
      await page.getByRole('button', { name: 'Propose it' }).click();
      await page.getByRole('alert').getByText('Amount EUR').waitFor();
      await page.getByLabel('Amount EUR').fill('12.34');
      await page.getByRole('button', { name: 'Propose it' }).click();
      await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/);
      await page
        .getByText(/^Would record a payment of 12\.34 EUR to/)
        .first()
        .waitFor();
      // What was proposed is no draft any more.
      await looked.go('/money/payments/new');
      await page.getByLabel('Direction').selectOption('made');
      assert.equal(await page.getByLabel('Amount EUR').inputValue(), '');
    });

    test('nobody is added before it is known that they are new, and what is typed while they are added stays', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const known = Promise.withResolvers<undefined>();
      const added = Promise.withResolvers<undefined>();
      await page.route('**/graphql', async (route) => {
        const asked = route.request().postData() ?? '';
        if (asked.includes('money-parties') && asked.includes('Tile')) await known.promise;
        if (asked.includes('money-party-create')) await added.promise;
        await route.continue();
      });
      await looked.go('/money/documents/new?kind=bill');
      const party = page.getByLabel('Party');
      await page.getByLabel('Find by name').fill('Nobody of this name');
      await page.getByRole('button', { name: 'Add Nobody of this name' }).waitFor();
      const asks = page.waitForRequest((request) => (request.postData() ?? '').includes('Tile'));
      await page.getByLabel('Find by name').fill('Tile and Co');
      await asks;
      const add = page.getByRole('button', { name: 'Add Tile and Co' });
      assert.equal(await add.count(), 0);
      known.resolve(undefined);
      await add.click();
      await page.getByLabel('Description').fill('Tiles');
      added.resolve(undefined);
      await add.waitFor({ state: 'detached' });
      assert.equal(await party.locator('option:checked').innerText(), 'Tile and Co');
      assert.equal(await page.getByLabel('Description').inputValue(), 'Tiles');
    });

    const upload = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Proof') });

    test('a line that was known before is taken as another movement', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const before = await openLines();
      await looked.go('/money/bank');
      await page.getByRole('button', { name: 'Import a statement' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'statement.ofx',
        mimeType: 'text/plain',
        buffer: Buffer.from(
          '<OFX><STMTRS><CURDEF>EUR\n<STMTTRN><DTPOSTED>20260803<TRNAMT>-12.50<FITID>1<NAME>Kiosk</STMTTRN></STMTRS></OFX>',
        ),
      });
      await dialog.getByText('Read as OFX.').waitFor();
      await dialog.getByRole('button', { name: 'Import a statement' }).click();
      await dialog.getByRole('checkbox').check();
      await dialog.getByRole('button', { name: 'Take that line' }).click();
      await dialog.getByRole('checkbox').waitFor({ state: 'detached' });
      assert.equal(await openLines(), before + 1);
      assert.deepEqual(looked.faults, []);
    });

    test('bank and books are agreed up to a day, and that is undone', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const agreedTo = async (): Promise<string | null> => {
        const { bankAccounts } = await books<{ bankAccounts: readonly { code: string; agreedTo: string | null }[] }>(
          '{ bankAccounts { code agreedTo } }',
        );
        return bankAccounts.find(({ code }) => code === '1000')?.agreedTo ?? null;
      };
      await looked.go('/money/bank/1000');
      await page.getByRole('button', { name: 'Agree up to a day' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Up to').fill('2026-07-31');
      // With a comma it is an amount once the field is left, and then the dialog says more above its buttons.
      await dialog.getByLabel('Closing balance').fill('1,00');
      await dialog.getByRole('button', { name: 'Agree up to a day' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByText('They do not agree yet.').waitFor();
      assert.equal(await agreedTo(), null);
      const { reconciliation } = await books<{ reconciliation: { difference: { amount: string } } }>(
        'query Standing($input: ReconciliationInput!) { reconciliation(input: $input) { difference { amount } } }',
        { input: { account: '1000', to: '2026-07-31', closing: '0.00' } },
      );
      await dialog.getByLabel('Closing balance').fill(reconciliation.difference.amount.replace(/^-/, ''));
      await dialog.getByText('They agree.').waitFor();
      await dialog.getByRole('button', { name: 'Agree up to a day' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await agreedTo(), '2026-07-31');
      await page.getByRole('button', { name: 'Agree up to a day' }).click();
      await dialog.getByRole('button', { name: 'Undo the last agreement' }).click();
      await dialog.getByLabel('Reason').fill('A line was missing');
      await dialog.getByRole('button', { name: 'Undo the last agreement' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await agreedTo(), null);
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('graphql')),
        [],
      );
    });

    test('an account that is agreed up to today stands beside the books as before, also where its page is opened anew', async () => {
      const day = new Date().toISOString().slice(0, 10);
      await books('mutation Post($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }', {
        input: {
          date: day,
          narration: 'Interest',
          currency: 'EUR',
          lines: [
            { account: '1050', debit: '100.00' },
            { account: '4900', credit: '100.00' },
          ],
        },
      });
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1050", format: csv, content: $content) { added } }',
        { content: `Date,Amount,Counterparty,Description\n${day},100.00,Bank,Interest` },
      );
      // Other entries on the account have no line.
      const { reconciliation } = await books<{
        reconciliation: { bookBalance: { amount: string }; difference: { amount: string } };
      }>(
        'query Standing($input: ReconciliationInput!) { reconciliation(input: $input) { bookBalance { amount } difference { amount } } }',
        { input: { account: '1050', to: day, closing: '0.00' } },
      );
      const [bank, own] = [reconciliation.difference.amount.replace(/^-/, ''), reconciliation.bookBalance.amount];
      const between = Number(bank) - Number(own);
      const told = [`€${bank}`, `€${own}`, `${between < 0 ? '-' : ''}€${Math.abs(between).toFixed(2)}`];
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/money/bank/1050');
      await page.locator('ol button[aria-pressed=true]').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'Everything is explained' }).waitFor();
      await page.getByRole('button', { name: 'Agree up to a day' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Closing balance').fill(bank);
      await dialog.getByText('They agree.').waitFor();
      await dialog.getByRole('button', { name: 'Agree up to a day' }).click();
      await dialog.waitFor({ state: 'detached' });
      const stands = async (): Promise<void> => {
        await page.getByText('Agreed up to').waitFor();
        const strip = page.locator('dl').filter({ hasText: 'Books' });
        await strip.waitFor();
        assert.deepEqual((await strip.locator('dd').allInnerTexts()).slice(0, 3), told);
        assert.equal(await page.getByRole('alert').count(), 0);
      };
      await stands();
      await looked.go('/money/bank/1050');
      await stands();
      await page.getByRole('button', { name: 'Agree up to a day' }).click();
      await dialog.getByRole('button', { name: 'Undo the last agreement' }).click();
      await dialog.getByLabel('Reason').fill('Others go on with it');
      await dialog.getByRole('button', { name: 'Undo the last agreement' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(looked.faults, []);
    });

    test('what is typed with a decimal comma counts while it is typed, in every form of money', async () => {
      const { createParty } = await books<{ createParty: { id: string } }>(
        'mutation Add($input: PartyInput!) { createParty(input: $input) { id } }',
        { input: { name: 'Komma GmbH', customer: true } },
      );
      const { createDocument } = await books<{ createDocument: { id: string } }>(
        'mutation Draft($input: DocumentInput!) { createDocument(kind: invoice, input: $input) { id } }',
        {
          input: {
            partyId: createParty.id,
            issueDate: '2026-08-06',
            lines: [{ description: 'Cups', quantity: '1', unitPrice: '500.00', account: '4000' }],
          },
        },
      );
      await books('mutation Issue($id: ID!) { issueDocument(id: $id) { id } }', createDocument);
      await books('mutation Post($input: JournalEntryInput!) { postJournalEntry(input: $input) { id } }', {
        input: {
          date: '2026-08-07',
          narration: 'Cups at the market',
          currency: 'EUR',
          lines: [
            { account: '1000', debit: '300.00' },
            { account: '4900', credit: '300.00' },
          ],
        },
      });
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1000", format: csv, content: $content) { added } }',
        { content: 'Date,Amount,Counterparty,Description\n2026-08-07,500.00,Komma GmbH,Transfer' },
      );
      await using looked = await seeded.open({ locale: 'de-DE' });
      const { page } = looked;
      await looked.go('/money/documents/new?kind=invoice');
      await page.getByLabel(german.taxRate).selectOption({ label: 'VAT 19 %' });
      await page.getByLabel(german.quantity).fill('1,5');
      await page.getByLabel(german.unitPrice).fill('282,41');
      await page.getByText('504,11 €').waitFor();

      await looked.go('/money/entries/new');
      const line = page.getByRole('group', { name: german.lineAt(1) });
      await line.getByLabel(german.debit).fill('282,41');
      await page.locator('main dl').getByText('282,41 €').first().waitFor();

      await looked.go('/money/payments/new');
      await page.getByLabel(german.party).selectOption({ label: 'Komma GmbH' });
      await page.getByRole('textbox', { name: /^INV-/ }).fill('282,41');
      assert.equal(await page.getByLabel(/^Betrag EUR/).inputValue(), '282.41');

      await looked.go('/money/bank/1000');
      await page.getByText('Komma GmbH').first().click();
      await page.getByRole('button', { name: german.bankWords.split }).click();
      const parts = page.getByRole('listbox', { name: german.bankWords.splitLabel });
      await parts.getByRole('option', { name: 'Cups at the market' }).click();
      const part = page.locator('label input[inputmode=decimal]');
      await part.fill('282,41');
      await page.getByText(/217,59/).waitFor();
      assert.ok(await page.getByRole('button', { name: german.bankWords.matchParts }).isEnabled());
      assert.deepEqual(looked.faults, []);
    });

    test('an entry is posted by hand with a file that proves it, and reversed', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go('/money/entries/new');
      await page.getByLabel('Text').fill('A chair for the desk');
      const totals = page.locator('main dl');
      assert.equal(await totals.count(), 0);
      for (const [at, code, side] of [
        [1, '6200', 'Debit'],
        [2, '1000', 'Credit'],
      ] as const) {
        const line = page.getByRole('group', { name: `Line ${at}` });
        const account = line.getByLabel('Account');
        const option = await account.locator('option', { hasText: code }).first().getAttribute('value');
        await account.selectOption(option ?? '');
        await line.getByLabel(side).fill('120.00');
      }
      await totals.getByText('Balanced').waitFor();
      await page.getByRole('button', { name: 'Post' }).click();
      await page.waitForURL(/\/money\/entries\/[0-9a-f-]{36}$/);
      const id = page.url().slice(-36);
      await page.getByLabel(/^Attach a file/).setInputFiles(upload('receipt.txt'));
      await page.getByRole('link', { name: 'receipt.txt' }).waitFor();
      await page.getByRole('button', { name: 'Reverse' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click();
      await page.waitForURL((url) => !url.pathname.endsWith(id));
      const { journalEntry } = await books<{
        journalEntry: { reversedBy: string; attachments: readonly { fileName: string }[] };
      }>('query One($id: ID!) { journalEntry(id: $id) { reversedBy attachments { fileName } } }', { id });
      assert.equal(journalEntry.reversedBy, page.url().slice(-36));
      assert.deepEqual(journalEntry.attachments, [{ fileName: 'receipt.txt' }]);
      assert.deepEqual(looked.faults, []);
    });

    test('a payment is recorded for somebody new, allocated, its allocation undone, and it is void, as the documents are', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const dialog = page.getByRole('dialog');
      const statusOf = async (id: string): Promise<string> =>
        (await books<{ document: { status: string } }>('query One($id: ID!) { document(id: $id) { status } }', { id }))
          .document.status;
      const draft = async (): Promise<string> => {
        await looked.go('/money/documents/new?kind=invoice');
        await page.getByLabel('Find by name').fill('Newcomer Ltd');
        const add = page.getByRole('button', { name: 'Add Newcomer Ltd' });
        const known = page.getByLabel('Party').locator('option', { hasText: 'Newcomer Ltd' });
        await add.or(known).first().waitFor({ state: 'attached' });
        if (await add.isVisible()) {
          await add.click();
          await add.waitFor({ state: 'detached' });
        } else await page.getByLabel('Party').selectOption({ label: 'Newcomer Ltd' });
        await page.getByLabel('Description').fill('A vase');
        await page.getByLabel('Quantity').fill('1');
        await page.getByLabel('Price each').fill('50.00');
        await page.getByRole('button', { name: 'Save the draft' }).click();
        await page.getByRole('heading', { level: 1, name: 'Invoice, draft' }).waitFor();
        return page.url().slice(-36);
      };
      const thrown = await draft();
      await page.getByRole('button', { name: 'Discard' }).click();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await statusOf(thrown), 'void');

      const invoice = await draft();
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      await dialog.getByRole('button', { name: 'Issue it now' }).click();
      await page.getByRole('heading', { level: 1, name: /^INV-\d+$/ }).waitFor();
      await page.getByRole('link', { name: 'Record a payment' }).click();
      await page.getByRole('button', { name: 'Record a payment' }).click();
      await page.getByRole('heading', { level: 1, name: /^PAY-\d+$/ }).waitFor();
      assert.equal(await statusOf(invoice), 'paid');
      const payment = page.url().slice(-36);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      assert.equal(await statusOf(invoice), 'issued');
      await page.getByRole('button', { name: /^Open €50\.00/ }).click();
      await page.getByRole('button', { name: 'Allocate', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      assert.equal(await statusOf(invoice), 'paid');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Void' }).click();
      await dialog.getByRole('button', { name: 'Void' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { payment: now } = await books<{ payment: { voidOn: string | null } }>(
        'query One($id: ID!) { payment(id: $id) { voidOn } }',
        { id: payment },
      );
      assert.notEqual(now.voidOn, null);
      await looked.go(`/money/documents/${invoice}`);
      await page.getByRole('button', { name: 'Void' }).click();
      await dialog.getByRole('button', { name: 'Void' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await statusOf(invoice), 'void');
      assert.deepEqual(looked.faults, []);
    });

    test('a payment in another currency is recorded at the rate of the bank, or at that of the day, and says what it comes to', async () => {
      const { createParty: buyer } = await books<{ createParty: { id: string } }>(
        'mutation Add($input: PartyInput!) { createParty(input: $input) { id } }',
        { input: { name: 'Overseas Tiles', customer: true, currency: 'USD' } },
      );
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const rate = page.getByLabel('Exchange rate');
      const record = async (typed: string, says: RegExp): Promise<{ rate: string; baseAmount: { amount: string } }> => {
        await looked.go('/money/payments/new');
        await page.getByLabel('Amount EUR').waitFor();
        assert.equal(await rate.count(), 0);
        await page.getByLabel('Party').selectOption(buyer.id);
        await page.getByLabel('Amount USD').fill('100.00');
        await page.getByLabel('Day').fill('2026-07-15');
        await rate.fill(typed);
        await page.getByText(says).waitFor();
        await page.getByRole('button', { name: 'Record a payment' }).click();
        await page.getByRole('heading', { level: 1, name: /^PAY-\d+$/ }).waitFor();
        const { payment } = await books<{ payment: { rate: string; baseAmount: { amount: string } } }>(
          'query One($id: ID!) { payment(id: $id) { rate baseAmount { amount } } }',
          { id: page.url().slice(-36) },
        );
        return payment;
      };
      const none = /^Units of EUR for one USD\. .* None is set for it yet\./;
      assert.deepEqual(await record('0.917', new RegExp(`${none.source} Comes to €91\\.70\\.$`)), {
        rate: '0.917',
        baseAmount: { amount: '91.70' },
      });
      await books('mutation Set { setExchangeRate(currency: "USD", day: "2026-07-14", rate: "0.9") { rate } }');
      assert.deepEqual(await record('', /the rate of the day is taken: 0\.9\. Comes to €90\.00\.$/), {
        rate: '0.9',
        baseAmount: { amount: '90.00' },
      });
      assert.deepEqual(looked.faults, []);
    });

    test('no more is filled in for a document than is left of the payment', async () => {
      const { createParty: buyer } = await books<{ createParty: { id: string } }>(
        'mutation Add($input: PartyInput!) { createParty(input: $input) { id } }',
        { input: { name: 'Two Invoices Ltd', customer: true } },
      );
      for (const unitPrice of ['60.00', '50.00']) {
        const { createDocument: draft } = await books<{ createDocument: { id: string; version: number } }>(
          'mutation Draft($input: DocumentInput!) { createDocument(kind: invoice, input: $input) { id version } }',
          {
            input: {
              partyId: buyer.id,
              issueDate: '2026-07-16',
              lines: [{ description: 'A vase', quantity: '1', unitPrice, account: '4000' }],
            },
          },
        );
        await books('mutation Issue($id: ID!) { issueDocument(id: $id) { id } }', { id: draft.id });
      }
      const { recordPayment: payment } = await books<{ recordPayment: { id: string } }>(
        'mutation Pay($input: PaymentInput!) { recordPayment(input: $input) { id } }',
        {
          input: {
            direction: 'received',
            partyId: buyer.id,
            account: '1000',
            date: '2026-07-17',
            currency: 'EUR',
            amount: '80.10',
          },
        },
      );
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go(`/money/payments/${payment.id}`);
      const fill = async (open: string): Promise<void> =>
        page.getByRole('button', { name: `Open ${open}`, exact: true }).click();
      const amounts = async (): Promise<string[]> =>
        page
          .locator('main input[name^="amount "]')
          .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
      await fill('€60.00');
      await fill('€50.00');
      assert.deepEqual((await amounts()).toSorted(), ['20.10', '60.00']);
      // It is of what others leave, not of what it has.
      await fill('€60.00');
      assert.deepEqual((await amounts()).toSorted(), ['20.10', '60.00']);
      await page.getByRole('button', { name: 'Allocate', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).nth(1).waitFor();
      const { payment: now } = await books<{ payment: { open: { amount: string } } }>(
        'query One($id: ID!) { payment(id: $id) { open { amount } } }',
        { id: payment.id },
      );
      assert.equal(now.open.amount, '0.00');
      assert.deepEqual(looked.faults, []);
    });

    test('what is refused of no field of the page is said in a sentence alone', async () => {
      const { parties } = await books<{ parties: { items: readonly { id: string }[] } }>(
        '{ parties(role: "customer") { items { id } } }',
      );
      const { createDocument } = await books<{ createDocument: { id: string } }>(
        'mutation Draft($input: DocumentInput!) { createDocument(kind: invoice, input: $input) { id } }',
        {
          input: {
            partyId: parties.items[0]?.id,
            issueDate: '2025-11-10',
            lines: [{ description: 'A lamp', quantity: '1', unitPrice: '5.00', account: '4000' }],
          },
        },
      );
      await books('mutation { closePeriod(month: "2025-11-01") { month } }');
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go(`/money/documents/${createDocument.id}`);
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Issue it now', exact: true }).click();
      const said = page.getByRole('alert').getByRole('listitem');
      await said.waitFor();
      assert.match((await said.innerText()).trim(), /^The month /);
      await books('mutation { reopenPeriod(month: "2025-11-01", reason: "A lamp came late") { month } }');
      await books('mutation Void($id: ID!) { voidDocument(id: $id) { id } }', createDocument);
    });

    test('a month is revalued, closed, opened again, and closed with its year', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const december = '2025-12-01';
      const state = async (): Promise<string> => {
        const { accountingPeriods } = await books<{
          accountingPeriods: readonly { month: string; status: string; yearClosed: boolean }[];
        }>('{ accountingPeriods { month status yearClosed } }');
        const found = accountingPeriods.find(({ month }) => month === december);
        return `${String(found?.status)} ${String(found?.yearClosed)}`;
      };
      await looked.go(`/money/close?month=${december}`);
      await page.getByText('Nothing that came up until the end of this month is left.').waitFor();
      await page.getByRole('button', { name: 'Close the month' }).click();
      const offered = page.getByRole('dialog').getByRole('listitem');
      await offered.filter({ hasText: 'Agree with the bank: 1000' }).waitFor();
      await offered.filter({ hasText: 'Revalue' }).waitFor({ state: 'detached' });
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Revalue' }).click();
      await page.getByText('0 items changed.').waitFor();
      await page.getByText('Nothing that came up until the end of this month is left.').waitFor();
      const asked = page.getByRole('dialog', { name: /^Close December/ });
      const closeAnyway = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Close the month' }).click();
        await asked.getByRole('button', { name: 'Close it anyway' }).click();
        await asked.waitFor({ state: 'detached' });
      };
      await page.getByRole('button', { name: 'Close the month' }).click();
      await asked.getByText('Agree with the bank: 1000').waitFor();
      assert.equal(
        await asked
          .getByRole('listitem')
          .filter({ hasText: /Revalue|Issue or discard|orders owe/ })
          .count(),
        0,
      );
      await asked.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await state(), 'open false');
      await closeAnyway();
      await page.getByRole('button', { name: 'Open it again' }).waitFor();
      assert.equal(await state(), 'closed false');
      await page.getByRole('button', { name: 'Open it again' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('A bill came late');
      await page.getByRole('dialog').getByRole('button', { name: 'Open it again' }).click();
      await page.getByRole('button', { name: 'Close the month' }).waitFor();
      assert.equal(await state(), 'open false');
      await closeAnyway();
      await page.getByRole('button', { name: 'Close the year' }).click();
      await page.getByText('Year closed').first().waitFor();
      assert.equal(await state(), 'closed true');
      assert.deepEqual(looked.faults, []);
    });

    test('what is left to explain of a bank is told of all its lines, also of those that are not loaded yet', async () => {
      await books(
        'mutation Bring($content: String!) { importBankStatement(account: "1050", format: csv, content: $content) { added } }',
        {
          content: [
            'Date,Amount,Counterparty,Description',
            ...Array.from({ length: 120 }, (_, at) => `2026-08-0${at < 110 ? 4 : 5},1.00,Till,Roll ${at}`),
          ].join('\n'),
        },
      );
      await using looked = await seeded.open();
      const { page } = looked;
      const told = async (address: string, state: RegExp): Promise<void> => {
        await looked.go(address);
        await page.locator('main p[role=status]').filter({ hasText: state }).waitFor();
      };
      await told('/money/bank/1050', /^120 lines to explain$/);
      await told('/money/bank/1050?day=2026-08-04', /^At least 100 to explain$/);
      await told('/money/bank/1050?day=2026-08-05', /^10 lines to explain$/);
      await looked.go('/money/bank/1050?day=2026-08-06');
      await page.getByRole('heading', { name: 'Everything of that day is explained' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('no act of its screens is left undone', () => assert.deepEqual(seeded.undone('screens/money'), []));
  });
