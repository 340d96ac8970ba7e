import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { brokenWords } from '../../fixtures/broken-words.ts';
import { callsOf } from '../../fixtures/calls.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('people in the console, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 3, products: 2 });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    test('two contacts are seen side by side with what is left of both; merging asks for a fresh login, and nothing is sent', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      for (const [name, field, value] of [
        ['Grace Hopper', 'E-mail', 'grace@example.com'],
        ['Grace B. Hopper', 'Phone', '+14155550100'],
      ] as const) {
        await looked.go('/people');
        await page.getByRole('button', { name: 'Add a contact' }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill(name);
        await dialog.getByLabel(field).fill(value);
        await dialog.getByRole('button', { name: 'Add a contact' }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
      }
      await page.getByRole('button', { name: 'Merge' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('searchbox').fill('Grace Hopper');
      await dialog.getByRole('button', { name: 'Find' }).click();
      await dialog.getByRole('listitem').filter({ hasText: 'grace@example.com' }).getByRole('button').click();
      const left = dialog.locator('div', { has: page.getByRole('heading', { name: 'What is left' }) }).last();
      await left.getByText('grace@example.com').waitFor();
      await left.getByText('+14155550100').waitFor();
      await dialog.getByRole('button', { name: 'Merge for good' }).click();
      await dialog.getByRole('button', { name: 'Log in again to decide' }).waitFor();
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('/merge')),
        [],
      );
    });

    test('nobody is erased by a click alone', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/people');
      await page.getByRole('table', { name: 'People' }).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Erase this person' }).click();
      const dialog = page.getByRole('dialog');
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().includes('/erasure')) asked += 1;
      });
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await dialog.getByLabel('Type “erase”').fill('eras');
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      assert.equal(asked, 0);
      assert.deepEqual(looked.faults, []);
    });

    test('what a contact ordered is named by its number, and their name in the books leads to their documents', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const call = callsOf(looked, seeded);
      interface Order {
        readonly id: string;
        readonly number: string;
        readonly contactId: string | null;
      }
      interface Contact {
        readonly [member: string]: unknown;
        readonly parties: readonly { readonly id: string; readonly name: string }[];
        readonly suggestedParties: readonly { readonly id: string; readonly name: string }[];
      }
      const { items } = await call<{ items: readonly Order[] }>('commerce', '/api/orders');
      const ordered = await Promise.all(
        items.flatMap(({ contactId, ...order }) =>
          contactId === null
            ? []
            : [
                call<Contact>('commerce', `/api/contacts/${contactId}`).then(({ parties, suggestedParties }) => ({
                  ...order,
                  contactId,
                  parties: [...parties, ...suggestedParties],
                })),
              ],
        ),
      );
      const { id, number, contactId, parties } =
        ordered.find((one) => one.parties.length > 0) ?? assert.fail('nobody who ordered is in the books');
      await looked.go(`/people/${contactId}`);
      const order = page.getByRole('link', { name: `Ordered: ${number}`, exact: true });
      assert.ok((await order.getAttribute('href'))?.endsWith(`/commerce/orders/${id}`));
      await page.getByRole('link', { name: parties[0]?.name, exact: true }).first().click();
      await page.waitForURL(`**/money/documents?party=${parties[0]?.id}`);
      await page
        .getByRole('table')
        .getByText(parties[0]?.name ?? '')
        .first()
        .waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('on a desk an address of e-mail is not broken within a word; whoever changes one with a yes to news is told that the yes ends', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const call = callsOf(looked, seeded);
      const email = 'wilhelmina.oppenheimer@gallery.example.com';
      const { contact } = await call<{ contact: { id: string } }>('commerce', '/api/contacts', { name: 'Mina', email });
      const said = async (): Promise<unknown> =>
        (await call('commerce', `/api/contacts/${contact.id}`))['marketingConsent'];
      await looked.go(`/people/${contact.id}`);
      await page.locator('dd', { hasText: email }).waitFor();
      assert.deepEqual(await page.evaluate(brokenWords, 'dd'), []);
      const dialog = page.getByRole('dialog');
      const change = page.getByRole('button', { name: 'Change' });
      const warning = dialog.getByText('They agreed to news with the address before: that ends when you save.');
      await change.click();
      await dialog.getByLabel('E-mail').fill('nobody.agreed@example.com');
      assert.equal(await warning.count(), 0);
      await dialog.getByLabel('E-mail').fill(email);
      await dialog.getByLabel('News and offers').selectOption({ label: 'agreed' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('agreed, ').waitFor();
      await change.click();
      await dialog.getByLabel('Name').fill('Mina Oppenheimer');
      await dialog.getByLabel('E-mail').fill(email.toUpperCase());
      assert.equal(await warning.count(), 0);
      await dialog.getByLabel('E-mail').fill('mina@example.com');
      await warning.waitFor();
      assert.notEqual(await said(), null);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('nobody has said').waitFor();
      assert.equal(await said(), null);
      assert.deepEqual(looked.faults, []);
    });

    test('a contact is changed, archived and restored, merged for good, and erased', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const call = callsOf(looked, seeded);
      const dialog = page.getByRole('dialog');
      const made = async (name: string, email: string): Promise<string> =>
        (await call<{ contact: { id: string } }>('commerce', '/api/contacts', { name, email })).contact.id;
      const [stays, goes] = [await made('Ada L.', 'ada.l@example.com'), await made('Ada Byron', 'ada.b@example.com')];
      interface Contact {
        readonly [member: string]: unknown;
        readonly name: string | null;
        readonly archived: boolean;
        readonly marketingConsent: { readonly given: boolean } | null;
        readonly otherEmails: readonly string[];
      }
      const stored = async (): Promise<Contact> => call<Contact>('commerce', `/api/contacts/${stays}`);
      await looked.go(`/people/${stays}`);
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog.getByRole('heading', { name: 'Change the contact' }).waitFor();
      await dialog.getByLabel('Name').fill('Ada Lovelace');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
      assert.equal((await stored()).name, 'Ada Lovelace');
      await page.getByText('nobody has said').waitFor();
      for (const [answer, told, given] of [
        ['declined', 'Declined news and offers', false],
        ['agreed', 'Agreed to news and offers', true],
      ] as const) {
        await page.getByRole('button', { name: 'Change' }).click();
        await dialog.getByLabel('News and offers').selectOption({ label: answer });
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByText(`${answer}, `).waitFor();
        await page.getByText('as a member or an agent wrote').waitFor();
        await page.getByText(told).waitFor();
        assert.equal((await stored()).marketingConsent?.given, given);
      }
      await page.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('button', { name: 'Restore' }).waitFor();
      assert.equal((await stored()).archived, true);
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Archive' }).waitFor();
      assert.equal((await stored()).archived, false);
      await page.getByRole('button', { name: 'Merge' }).click();
      await dialog.getByRole('searchbox').fill('Ada Byron');
      await dialog.getByRole('button', { name: 'Find' }).click();
      await dialog.getByRole('button', { name: 'Compare' }).click();
      await dialog.getByRole('button', { name: 'Merge for good' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual((await stored()).otherEmails, ['ada.b@example.com']);
      await looked.go(`/people/${goes}`);
      await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await dialog.getByLabel('Type “erase”').fill('erase');
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await page.getByRole('dialog', { name: 'Erased' }).waitFor();
      await assert.rejects(stored(), /404/);
      // Behind the dialog is somebody who is no more.
      assert.deepEqual(
        looked.faults.filter((fault) => !fault.includes('status of 404')),
        [],
      );
    });

    test('no act of its screens is left undone', () => assert.deepEqual(seeded.undone('screens/people'), []));
  });
