import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Seeded } from '../fixtures/browser.ts';
import { examples } from '../fixtures/examples.ts';
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
  });
