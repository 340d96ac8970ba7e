import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { backdate, type Json } from '@steward/conformance/world';
import { openPool } from '@steward/sql';
import type { Page } from 'playwright-core';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('the log in the console', () => {
    let seeded: Seeded;
    /** Of a day that is sealed. */
    let id: string;
    let key: string;
    const read = async (path: string): Promise<Json> => {
      const { world, tenant, owner: token } = seeded;
      return (await world.call(`${world.server.addresses.accounting}/api/audit${path}`, { token, tenant })).body;
    };
    const exportLog = async (): Promise<string> => {
      const { world, tenant, owner } = seeded;
      const headers = { authorization: `Bearer ${owner}`, 'x-tenant-id': tenant };
      const answer = await fetch(`${world.server.addresses.accounting}/api/audit/export?format=jsonl`, { headers });
      return answer.text();
    };
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 4, products: 3 });
      await using admin = openPool({ url: seeded.world.db.adminUrl, size: 1 });
      await backdate(admin, 2);
      const { items } = await read('/events?sequence_from=1&sequence_to=1');
      id = String(items?.[0]?.['id']);
      const day = String(items?.[0]?.['received_at']).slice(0, 10);
      const { code, err } = await seeded.world.command(['audit', 'seal', '--day', day]);
      assert.equal(code, 0, err);
      key = String((await read('/keys'))['items']?.[0]?.['verifier_key']);
    });
    after(async () => seeded[Symbol.asyncDispose]());

    const rows = (page: Page) => page.locator('main ol > li[data-number]');

    test('is one list, whose rows are read where the scrollbar is put, and never more than are in sight', async () => {
      await using looked = await seeded.open();
      const { page, faults } = looked;
      let asked = 0;
      await looked.go('/settings/sessions');
      const shape = (await read(`/events/${id}`)) as unknown as object;
      await page.route('**/audit/chain', async (route) => {
        const answer = await route.fetch();
        const chain = (await answer.json()) as { head: object };
        await route.fulfill({ response: answer, json: { ...chain, head: { ...chain.head, sequence: 100_000 } } });
      });
      await page.route('**/audit/events?**', async (route) => {
        asked += 1;
        const search = new URL(route.request().url()).searchParams;
        const [from, to] = [Number(search.get('sequence_from')), Number(search.get('sequence_to'))];
        const items = Array.from({ length: to - from + 1 }, (_, at) => ({
          ...shape,
          id: `id-${to - at}`,
          type: `event.of.${to - at}`,
          sequence: to - at,
        }));
        await route.fulfill({ json: { items, next_cursor: null } });
      });
      // From another page: what a page reads when it begins is one request.
      await page.getByRole('link', { name: 'Activity' }).click();
      await page.getByTitle('event.of.100000', { exact: true }).waitFor();
      await page.evaluate(() => {
        const made = { formats: 0 };
        const construct = (of: typeof Intl.DateTimeFormat, given: unknown[]): object => {
          made.formats += 1;
          return Reflect.construct(of, given) as object;
        };
        Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, { construct });
        Object.assign(globalThis, { made });
      });
      for (const part of [0.5, 0.9, 0.1, 1]) {
        await page.evaluate((at) => window.scrollTo(0, document.documentElement.scrollHeight * at), part);
        await page.waitForFunction(() => document.querySelector('main ol > li > a') !== null);
        const count = await rows(page).count();
        assert.ok(count > 5 && count <= 60, String(count));
      }
      await page.getByTitle('event.of.1', { exact: true }).waitFor();
      // Making one takes longer than drawing a row.
      const made = await page.evaluate(() => (globalThis as unknown as { made: { formats: number } }).made.formats);
      assert.ok(made <= 1, `${made} formats of dates were made`);
      await page.getByLabel('Number').fill('31415');
      await page.keyboard.press('Enter');
      await page.getByTitle('event.of.31415', { exact: true }).waitFor();
      assert.ok(asked < 20, String(asked));
      assert.deepEqual(faults, []);
    });

    test('says when each event was, on a phone too, and cuts nothing off', async () => {
      await using looked = await seeded.open({ width: 360 });
      const { page, faults } = looked;
      await looked.go('/activity');
      await rows(page).locator('time').first().waitFor();
      const cut = await rows(page).evaluateAll((all) =>
        all
          .filter((row) => row.querySelector('a') !== null)
          .filter((row) => row.querySelector('time')?.checkVisibility() !== true || row.scrollHeight > row.clientHeight)
          .map(({ textContent }) => textContent),
      );
      assert.deepEqual([...cut, ...faults], []);
    });

    test('is searched by qualifiers that are the address', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/activity');
      await page.getByLabel('Qualifiers').fill('type:approvals.action.requested principal:agent:bookkeeper');
      await page.keyboard.press('Enter');
      await page.waitForURL(/type=approvals\.action\.requested&principal=agent%3Abookkeeper/);
      const asked = page.getByRole('link', { name: /^.+ · An agent asked for it$/ }).first();
      await asked.getByTitle('approvals.action.requested', { exact: true }).waitFor();
      await asked.click();
      await page.getByRole('heading', { name: 'What caused what' }).waitFor();
      await page.getByRole('heading', { name: 'About the same thing' }).waitFor();
      assert.match(await page.title(), /^.+ · An agent asked for it · /);
      await page.goBack();
      assert.equal(
        await page.getByLabel('Qualifiers').inputValue(),
        'type:approvals.action.requested principal:agent:bookkeeper',
      );
    });

    test('is verified in the page by a key that the reader pinned, and by nothing else', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const verify = page.getByRole('button', { name: 'Verify now' });
      const other = (
        await readFile(new URL('../../../../conformance/audit/vectors/key', import.meta.url), 'utf8')
      ).trim();
      await looked.go(`/activity/${id}`);
      await verify.click();
      await page.getByText('Not verified: no key of yours is pinned').waitFor();
      await page.getByLabel('Public key').fill('no key');
      await page.getByRole('button', { name: 'Pin this key' }).click();
      await page.getByText('This is no key').waitFor();
      // As of a log that was wholly written anew: all of it agrees, but not with the key.
      await page.getByLabel('Public key').fill(other);
      await page.getByRole('button', { name: 'Pin this key' }).click();
      await page.getByText('No key that you trust signed this').waitFor();
      await page.getByRole('button', { name: 'Take it off' }).click();
      await page.getByLabel('Public key').fill(key);
      await page.getByRole('button', { name: 'Pin this key' }).click();
      await page.getByRole('heading', { name: 'Verified', exact: true }).waitFor();
      await page.getByText('Root of the day').waitFor();
      const proof = (await read(`/events/${id}/proof`)) as unknown as { event: string };
      const changed = { ...proof, event: proof.event.replace(/"payload":\{/, '"payload":{"more":1,') };
      assert.notEqual(changed.event, proof.event);
      await page.route('**/proof', async (route) => route.fulfill({ json: changed }));
      await verify.click();
      await page.getByText('An event was changed.').waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Verified', exact: true }).count(), 0);
      // The proof of another event holds, and is not that of this one.
      const { items } = await read('/events?sequence_from=2&sequence_to=2');
      const another = await read(`/events/${String(items?.[0]?.['id'])}/proof`);
      await page.unroute('**/proof');
      await page.route('**/proof', async (route) => route.fulfill({ json: another }));
      await verify.click();
      await page.getByText('It belongs to something else.').waitFor();
      const elsewhere = JSON.parse(
        await readFile(new URL('../../../../conformance/audit/vectors/proof.json', import.meta.url), 'utf8'),
      ) as unknown;
      await looked.go('/activity/verify');
      for (const [document, told] of [
        [proof, 'Verified'],
        [changed, 'Not verified: something is wrong'],
        [elsewhere, 'Not verified here: it is of another organization’s log'],
      ] as const) {
        const file = {
          name: 'proof.json',
          mimeType: 'application/json',
          buffer: Buffer.from(JSON.stringify(document)),
        };
        await page.getByLabel('Files').setInputFiles(file);
        await page.getByRole('heading', { name: told, exact: true }).waitFor();
      }
      await page.getByRole('link', { name: /steward-audit-verify\.mjs/ }).waitFor();
      // An event of today is in no sealed day: its place is signed, and taken along.
      await page.unroute('**/proof');
      await exportLog();
      const { items: newest } = await read('/events?limit=1');
      await looked.go(`/activity/${String(newest?.[0]?.['id'])}`);
      looked.faults.length = 0;
      await verify.click();
      await page.getByRole('heading', { name: 'Verified: the receipt of a day that is not sealed yet' }).waitFor();
      // A proof that there cannot be yet is not asked for.
      assert.deepEqual(looked.faults, []);
      const [taken] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Take the receipt along' }).click(),
      ]);
      const receipt = await readFile(await taken.path(), 'utf8');
      const exported = await exportLog();
      const last = exported.trimEnd().lastIndexOf('\n') + 1;
      await looked.go('/activity/verify');
      for (const [name, text, told] of [
        ['receipt.json', receipt, 'Verified: the receipt of a day that is not sealed yet'],
        ['receipt.json', receipt.replace('payload', 'payloae'), 'Not verified: something is wrong'],
        ['all.jsonl', exported, 'Verified: every row'],
        [
          'all.jsonl',
          exported.slice(0, last) + exported.slice(last).replace('"type":"', '"type":"x'),
          'Not verified: something is wrong',
        ],
        ['some.jsonl', exported.replace(/(?<=\n).*\n/, ''), 'Not verified: it only agrees with itself'],
      ] as const) {
        await page.getByLabel('Files').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
        await page.getByRole('heading', { name: told, exact: true }).waitFor();
      }
    });
  });
