import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../fixtures/browser.ts';
import { examples } from '../fixtures/examples.ts';
import { answerHostile, harmOf } from '../fixtures/hostile.ts';
import { violationsOf } from '../fixtures/violations.ts';
import { screens } from './routes.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('every screen of the console, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    const pathOf = async (path: string): Promise<string> => {
      const example = examples[path];
      assert.ok(!path.includes('$') || example !== undefined, `${path} has no example in fixtures/examples.ts`);
      return example === undefined ? path : example(seeded);
    };

    for (const theme of ['light', 'dark'] as const)
      for (const width of [1280, 360])
        test(`is accessible, fits, and breaks no rule of its policy: ${theme}, ${width} px`, async () => {
          await using looked = await seeded.open({ theme, width });
          const found: string[] = [];
          for (const { path } of screens) {
            await looked.go(await pathOf(path));
            found.push(...(await violationsOf(looked.page)).map((violation) => `${path}: ${violation}`));
            const wide = await looked.page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth);
            if (wide > 0) found.push(`${path}: ${wide} px wider than ${width}`);
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
  });
