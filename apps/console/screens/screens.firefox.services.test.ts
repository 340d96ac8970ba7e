import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFirefox, type Firefox, type FirefoxPage } from '@steward/testing/firefox';
import { openBusiness, type Business } from '../fixtures/browser.ts';
import { examples } from '../fixtures/examples.ts';
import { screens } from './routes.ts';

const executablePath = process.env['FIREFOX_PATH'] ?? '';

if (executablePath !== '')
  describe('the console in Firefox', () => {
    let business: Business & AsyncDisposable;
    let firefox: Firefox;
    before(async () => {
      business = await openBusiness({ orders: 10, products: 4 });
      firefox = await startFirefox(executablePath);
    });
    after(async () => {
      await firefox?.[Symbol.asyncDispose]();
      await business?.[Symbol.asyncDispose]();
    });

    /** Looks at the page until it is as wanted, also while another page comes. */
    const until = async (page: FirefoxPage, look: (given: string) => boolean, given = ''): Promise<void> => {
      while (!(await page.run(look as () => boolean, given).catch(() => false))) await sleep(50);
    };
    /** Until people see a text. */
    const shown = async (page: FirefoxPage, text: string): Promise<void> =>
      until(page, (wanted) => document.body.innerText.includes(wanted), text);
    const settled = async (page: FirefoxPage): Promise<void> =>
      until(
        page,
        () => document.querySelector('h1') !== null && document.querySelector('[role=status][aria-label]') === null,
      );
    /** Presses the button that says a text, once it can be pressed. */
    const press = async (page: FirefoxPage, text: string): Promise<void> =>
      until(
        page,
        (wanted) => {
          const all = [...document.querySelectorAll<HTMLButtonElement>('button')];
          const found = all.find((one) => one.textContent.trim() === wanted && one.checkVisibility() && !one.disabled);
          found?.click();
          return found !== undefined;
        },
        text,
      );
    /** At the development provider, as the owner: `sign-in`, or `step-up`, after which she may decide. */
    const logIn = async (page: FirefoxPage, way: 'sign-in' | 'step-up'): Promise<void> => {
      await page.go(`${business.origin}/console/${way}?to=/`);
      await page.run(() => {
        const field = document.querySelector<HTMLInputElement>('input[name=email]');
        if (field) field.value = 'alice@example.com';
        document.querySelector<HTMLButtonElement>('button[value=login]')?.click();
      });
      await shown(page, 'Approvals');
      await settled(page);
      // The provider's page has no icon, and the page that is left in between loads nothing more.
      page.faults.length = 0;
    };
    const go = async (page: FirefoxPage, path: string): Promise<void> => {
      await page.go(`${business.origin}/o/${business.tenant}${path === '/' ? '' : path}`);
      await settled(page);
    };
    const read = async (address: string): Promise<Record<string, unknown>> =>
      (await business.world.call(address, { token: business.owner, tenant: business.tenant })).body;

    test('what an agent proposed is approved with a login of now, and its event is verified in the page', async () => {
      const { addresses } = business.world.server;
      const page = await firefox.open(business.origin);
      await logIn(page, 'sign-in');
      await logIn(page, 'step-up');
      const path = (await examples['/approvals/$id']?.(business)) ?? '';
      await go(page, path);
      await press(page, 'Approve what is shown here');
      await shown(page, 'Approved and carried out.');
      const action = await read(`${addresses.portal}/api/pending-actions/${path.split('/').at(-1)}`);
      assert.equal(action['state'], 'executed');
      const events = await read(`${addresses.accounting}/api/audit/events?limit=1`);
      const [newest] = events['items'] as { id: string }[];
      await go(page, `/activity/${newest?.id}`);
      await press(page, 'Verify now');
      await shown(page, 'Not verified: no key of yours is pinned');
      assert.deepEqual(page.faults, []);
    });

    test('every screen is drawn, fits on a desk and on a phone, and breaks no rule of its policy', async () => {
      const page = await firefox.open(business.origin);
      await logIn(page, 'sign-in');
      const found: string[] = [];
      for (const { path } of screens) {
        await page.resize(1280, 900);
        await go(page, (await examples[path]?.(business)) ?? path);
        for (const width of [1280, 360]) {
          await page.resize(width, 800);
          const wide = await page.run(() => document.documentElement.scrollWidth - globalThis.innerWidth);
          if (wide > 0) found.push(`${path}: ${wide} px wider than ${width}`);
        }
        found.push(...page.faults.splice(0).map((fault) => `${path}: ${fault}`));
      }
      assert.deepEqual(found, []);
    });
  });
