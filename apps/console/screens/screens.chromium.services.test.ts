import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../fixtures/browser.ts';
import { brokenWords } from '../fixtures/broken-words.ts';
import { examples } from '../fixtures/examples.ts';
import { answerHostile, harmOf } from '../fixtures/hostile.ts';
import { answerRich } from '../fixtures/rich.ts';
import { startShops } from '../fixtures/outside.ts';
import { mayBeTroubled, trouble } from '../fixtures/trouble.ts';
import { violationsOf } from '../fixtures/violations.ts';
import { screens } from './routes.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

/** Buttons, and links that look like them, that stand nearer to each other than 8 px: evaluated in the page. */
function crowdedButtons(): string[] {
  const seen = [...document.querySelectorAll<HTMLElement>('button, a')].flatMap((one) => {
    const { borderTopWidth, backgroundColor } = getComputedStyle(one);
    const looks = borderTopWidth !== '0px' || backgroundColor !== 'rgba(0, 0, 0, 0)';
    const box = one.getBoundingClientRect();
    return looks && one.checkVisibility() && box.width > 0 ? [{ box, name: one.textContent }] : [];
  });
  return seen.flatMap(({ box: a, name }, at) =>
    seen.slice(at + 1).flatMap(({ box: b, name: other }) => {
      const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
      const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
      return Math.max(across, down) < 7.5 ? [`${name} and ${other} touch: ${across} × ${down} px apart`] : [];
    }),
  );
}

/** Buttons of one cell of a table that stand below each other, so that its row is twice as high as others: evaluated in the page. */
const stackedButtons = (): string[] =>
  [...document.querySelectorAll('td')].flatMap((cell) => {
    const [first, ...others] = [...cell.querySelectorAll('button')];
    const below = others.find((one) => Math.abs(one.offsetTop - (first?.offsetTop ?? 0)) > 4);
    return below === undefined ? [] : [`${below.textContent} stands below ${first?.textContent}`];
  });

/** What stands out of what is around it, such as an amount past the edge of its tile, and is neither cut nor scrolled there: evaluated in the page. */
const standingOut = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('main *')].flatMap((one) => {
    const { overflowX, display } = getComputedStyle(one);
    const out = one.scrollWidth - one.clientWidth;
    // Heads of tables, which a phone says in each row, are there for those who hear them.
    const isHeard = one.closest('thead, caption') !== null;
    if (overflowX !== 'visible' || display === 'inline' || one.clientWidth === 0 || isHeard || out <= 1) return [];
    return [`${one.textContent.slice(0, 40)} stands ${out} px out of ${one.localName}.${one.className}`];
  });

if (executablePath !== '')
  describe('every screen of the console, in a browser', () => {
    const stack = new AsyncDisposableStack();
    let seeded: Seeded;
    before(async () => {
      const { shopify } = stack.use(await startShops());
      seeded = stack.use(await openSeeded({ executablePath, variables: shopify.variables }));
    });
    after(async () => stack.disposeAsync());

    const pathOf = async (path: string): Promise<string> => {
      const example = examples[path];
      assert.ok(!path.includes('$') || example !== undefined, `${path} has no example in fixtures/examples.ts`);
      return example === undefined ? path : example(seeded);
    };

    test('is named by the title of its window, is accessible, fits, and breaks no rule of its policy: light and dark, on a desk and on a phone', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const found: string[] = [];
      const titles = new Map<string, string>();
      for (const { path } of screens) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await looked.go(await pathOf(path));
        const title = await page.title();
        const head = await page.locator('h1').first().textContent();
        if (!title.endsWith(`${head} · Steward`)) found.push(`${path}: its window says ${title}, not ${head}`);
        if (titles.has(title)) found.push(`${path}: its window says ${title}, as that of ${titles.get(title)}`);
        titles.set(title, path);
        found.push(
          ...(await page.evaluate(brokenWords, 'th')).map(
            (word) => `${path}: ${word} is broken in the head of a table`,
          ),
          ...(await page.evaluate(stackedButtons)).map((stack) => `${path}: ${stack}`),
        );
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 800 });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            // Colours that are on their way have no contrast yet.
            await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
            const at = `${path}, ${colorScheme}, ${width} px`;
            found.push(...(await violationsOf(page)).map((violation) => `${at}: ${violation}`));
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth);
            if (wide > 0) found.push(`${at}: ${wide} px wider`);
          }
          found.push(...(await page.evaluate(crowdedButtons)).map((crowd) => `${path}, ${width} px: ${crowd}`));
        }
      }
      assert.deepEqual([...found, ...looked.faults], []);
    });

    test('shows what strangers wrote as nothing but text with nothing hidden, and fits on a desk and on a phone', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const found: string[] = [];
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== seeded.origin && protocol !== 'blob:') found.push(`${page.url()} asked ${request.url()}`);
      });
      await answerHostile(page);
      for (const { path } of screens) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await looked.go(await pathOf(path));
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth);
          if (wide > 0) found.push(`${path}: ${wide} px wider than ${width}`);
        }
        found.push(...(await harmOf(page)).map((harm) => `${path}: ${harm}`));
      }
      assert.deepEqual([...found, ...looked.faults], []);
    });

    test('has room on a phone for amounts of twelve digits: none stands out of what is around it', async () => {
      await using looked = await seeded.open({ width: 360, isMobile: true, hasTouch: true });
      const { page } = looked;
      await answerRich(page);
      const found: string[] = [];
      for (const { path } of screens) {
        await looked.go(await pathOf(path));
        found.push(...(await page.evaluate(standingOut)).map((out) => `${path}: ${out}`));
      }
      assert.deepEqual([...found, ...looked.faults], []);
    });

    test('says when the API fails, refuses or hangs, offers to try again, and recovers without being loaded again', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await page.clock.install();
      await mayBeTroubled(page);
      const again = page.getByRole('button', { name: 'Try again' });
      const loading = page.locator('[role=status][aria-label]');
      const found: string[] = [];
      for (const { path } of screens) {
        const at = await pathOf(path);
        const says = async (words: RegExp): Promise<void> => {
          await page.getByText(words).first().waitFor();
          await loading.first().waitFor({ state: 'detached' });
        };
        try {
          await trouble(page, '503');
          await page.goto(`${seeded.origin}/o/${seeded.tenant}${at === '/' ? '' : at}`);
          await says(/does not answer|is busy/);
          await trouble(page, '429');
          await again.first().click();
          await says(/Too many requests/);
          await trouble(page, 'hangs');
          await again.first().click();
          await page.clock.fastForward(6_000);
          await page.getByText('The server takes long to answer.').waitFor();
          await page.clock.fastForward(20_000);
          await says(/does not answer/);
          await trouble(page, undefined);
          await page.clock.fastForward(31_000);
          await again.first().waitFor({ state: 'detached' });
          await page.locator('h1').first().waitFor();
          await loading.first().waitFor({ state: 'detached' });
        } catch (error) {
          found.push(`${path}: ${String(error).split('\n', 4).join(' ')}`);
        }
      }
      assert.deepEqual([...found, ...looked.faults], []);
    });
  });
