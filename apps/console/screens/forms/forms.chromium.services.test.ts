import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { callsOf, hostile, visitorOf } from '../../fixtures/calls.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('forms in the console, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 3, products: 2 });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    test('a form is built with the very element as its preview, published, and its first submission arrives by itself', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/forms');
      await page.getByRole('button', { name: 'New form' }).first().click();
      await page.getByRole('dialog').getByLabel('Name').fill('Workshop');
      await page.getByRole('dialog').getByRole('button', { name: 'New form' }).click();
      await page.getByRole('heading', { level: 1, name: 'Workshop' }).waitFor();
      const form = /\/forms\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';

      const preview = page.locator('storefront-form');
      await preview.getByLabel('Message').waitFor();
      await page.getByRole('button', { name: 'Add a field' }).click();
      await page.getByRole('textbox', { name: 'Label' }).fill('Seats');
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('number');
      await page.getByRole('checkbox', { name: 'required' }).check();
      await page.getByRole('button', { name: 'Move Seats up' }).click();
      await preview.getByLabel('Seats').waitFor();
      const labels = await preview.locator('label').allTextContents();
      assert.ok(
        labels.findIndex((text) => text.includes('Seats')) < labels.findIndex((text) => text.includes('Message')),
        labels.join(),
      );
      await preview.getByRole('button').click();
      await preview.getByRole('alert').first().waitFor();
      await preview.getByLabel('E-mail').fill('ada@example.com');
      await preview.getByLabel('Seats').fill('2');
      await preview.getByRole('button').click();
      await page.getByText('This is a preview: nothing was sent.').waitFor();

      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByRole('button', { name: 'Make a key for tests' }).click();
      await page.getByText('This key is shown once.').waitFor();
      const key = await page.getByLabel('Key').inputValue();
      await page.getByText(`sdk-key="${key}"`).waitFor();

      // It comes after the page has read and before the page listens.
      const come = Promise.withResolvers<void>();
      await page.route('**/console/events/**', async (route) => {
        await come.promise;
        await route.continue();
      });
      await looked.go(`/forms/${form}/submissions?mode=test`);
      await page.getByText('Waiting for the first submission…').waitFor();
      // What comes now is listed before it is counted, and the sentence still holds.
      await page.getByText('What has just come in is counted some seconds later.').waitFor();
      const visit = visitorOf(seeded, key);
      await visit(`/forms/${form}/submit`, {
        data: {
          name: hostile.markup,
          email: 'ada@example.com',
          message: hostile.unseen + hostile.turned + hostile.long,
          [hostile.turned]: hostile.markup,
          field_4: 2,
        },
      });
      come.resolve();
      await page.getByText('ada@example.com').waitFor();
      await page.getByRole('table', { name: 'Submissions' }).getByRole('button').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('U+202E').first().waitFor();
      await dialog.getByText('U+200B').first().waitFor();
      await dialog.getByText(/^\d+ characters; scroll/).waitFor();
      assert.equal(await page.locator('main b, dialog b, img[src=x]').count(), 0);
      assert.deepEqual(looked.faults, []);
    });

    test('what was refused says why, and versions say what differs', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/forms');
      await page.getByRole('link', { name: 'Workshop', exact: true }).click();
      await page.getByRole('button', { name: 'Add a field' }).click();
      await page.getByRole('textbox', { name: 'Label' }).fill('Allergies');
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByText('changes not published').waitFor();
      await page.getByRole('link', { name: 'Versions' }).click();
      const differences = page.getByRole('table', { name: 'Compare' });
      await differences.getByText('Allergies').first().waitFor();
      await differences.getByText('added').waitFor();
      await page.getByRole('link', { name: 'On a page' }).click();
      await page.getByRole('button', { name: 'Make a key for tests' }).click();
      await page.getByText('This key is shown once.').waitFor();
      const key = await page.getByLabel('Key').inputValue();
      const form = /\/forms\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
      await assert.rejects(visitorOf(seeded, key)(`/forms/${form}/submit`, { data: { name: 'Nobody' } }), /400/);
      const call = callsOf(looked, seeded);
      const noted = async (): Promise<number> =>
        (await call<{ items: readonly object[]; [name: string]: unknown }>('commerce', `/api/forms/${form}/refusals`))
          .items.length;
      // They are written every two seconds.
      while ((await noted()) === 0) await page.waitForTimeout(200);
      await looked.go(`/forms/${form}/submissions`);
      await page.getByText('E-mail: required').waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('answers are erased; an earlier version is shown again; a form is put on pages, taken off, archived and restored', async () => {
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      const call = callsOf(looked, seeded);
      await looked.go('/forms');
      await page.getByRole('link', { name: 'Workshop', exact: true }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
      const form = /\/forms\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
      interface Form {
        readonly [member: string]: unknown;
        readonly status: string;
        readonly activeVersion: number | null;
        readonly siteId: string;
      }
      const stored = async (): Promise<Form> => call<Form>('studio', `/api/forms/${form}`);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('button', { name: 'Make a key', exact: true }).click();
      await page.getByText('This key is shown once.').waitFor();
      assert.equal((await stored()).activeVersion, 2);
      await page.getByLabel('Page where it will be').fill('https://pages.example.com');
      await page.getByRole('button', { name: 'Allow this origin' }).click();
      await page.getByText('https://pages.example.com', { exact: true }).waitFor();
      const site = await call<{ origins: string[] }>('studio', `/api/sites/${(await stored()).siteId}`);
      assert.ok(site.origins.includes('https://pages.example.com'));
      await looked.go(`/forms/${form}/versions`);
      await page.getByRole('button', { name: 'Show this version' }).click();
      await page.getByRole('row', { name: /Version 1 shown to visitors/ }).waitFor();
      assert.equal((await stored()).activeVersion, 1);

      await looked.go(`/forms/${form}/submissions?mode=test`);
      await page.getByRole('table', { name: 'Submissions' }).getByRole('button').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Erase the answers' }).click();
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { items } = await call<{ items: { erasedAt?: string }[] }>(
        'commerce',
        `/api/forms/${form}/submissions?mode=test`,
      );
      assert.notEqual(items[0]?.erasedAt, undefined);

      await looked.go(`/forms/${form}`);
      await page.getByRole('button', { name: 'Unpublish' }).click();
      await page.getByRole('button', { name: 'Unpublish' }).waitFor({ state: 'detached' });
      assert.equal((await stored()).status, 'unpublished');
      await page.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('button', { name: 'Restore' }).waitFor();
      assert.equal((await stored()).status, 'archived');
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Archive' }).waitFor();
      assert.notEqual((await stored()).status, 'archived');
      assert.deepEqual(looked.faults, []);
    });

    test('no act of its screens is left undone', () => assert.deepEqual(seeded.undone('screens/forms'), []));
  });
