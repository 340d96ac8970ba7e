import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  bytesOf,
  differenceOf,
  drawSteady,
  folder,
  nameOf,
  openGallery,
  readDrawing,
  sights,
  type Gallery,
} from '../fixtures/drawn.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
/** What looks otherwise, beside what was expected: no part of the repository. */
const failures = join(import.meta.dirname, '../../../node_modules/.cache/pictures');
const renew = 'CHROMIUM_PATH=… node apps/console/fixtures/draw.ts';

if (executablePath !== '')
  describe('the screens of the console, drawn from a recorded business at the moment of its recording', () => {
    let gallery: Gallery;
    before(async () => {
      gallery = await openGallery(executablePath);
    });
    after(async () => gallery[Symbol.asyncDispose]());

    test('look like their pictures: every screen on a desk and on a phone, some of them dark, in German and in Japanese', async () => {
      const kept = new Set(await readdir(folder));
      await rm(failures, { recursive: true, force: true });
      await mkdir(failures, { recursive: true });
      const different: string[] = [];
      for (const sight of sights) {
        const easel = await gallery.show(sight);
        for (const view of sight.views) {
          const name = nameOf(sight, view);
          if (!kept.delete(name)) {
            different.push(`${name} is not there`);
            continue;
          }
          const expected = await readDrawing(name);
          if (differenceOf(expected, (await easel.draw(view)).drawing) === undefined) continue;
          // It may not have been at rest.
          const { seen, drawing } = await drawSteady(easel, view);
          const difference = differenceOf(expected, drawing);
          if (difference === undefined) continue;
          different.push(name);
          await writeFile(join(failures, `seen-${name}`), seen);
          await writeFile(join(failures, `expected-${name}`), await bytesOf(expected));
          await writeFile(join(failures, `difference-${name}`), await bytesOf(difference));
        }
      }
      assert.deepEqual([...gallery.missing], [], `Screens read what is not recorded. Record it: ${renew} --record`);
      assert.deepEqual(
        [...different, ...[...kept].map((name) => `${name} is of no screen`)],
        [],
        `Look at ${failures}. If the screens shall look so, draw them anew: ${renew}`,
      );
    });

    test('are told from others by a button, a distance of 8 px or a colour, and from themselves by nothing', async () => {
      const [sight] = sights.filter(({ path }) => path === '/approvals/$id');
      assert.ok(sight !== undefined);
      const easel = await gallery.show(sight);
      for (const view of sight.views) {
        const { drawing } = await easel.draw(view);
        const isSeen = async (style: string): Promise<boolean> => {
          const tag = await easel.page.addStyleTag({ content: style });
          const changed = await easel.draw(view);
          await tag.evaluate((node) => (node as Element).remove());
          return differenceOf(drawing, changed.drawing) !== undefined;
        };
        assert.deepEqual(
          {
            nothing: await isSeen('/**/'),
            button: await isSeen('main button:first-of-type { visibility: hidden }'),
            distance: await isSeen('main { padding-top: 8px }'),
            colour: await isSeen(':root { --accent: #2a7ac8 }'),
          },
          { nothing: false, button: true, distance: true, colour: true },
        );
        const again = await easel.draw(view);
        assert.deepEqual(again.drawing, drawing);
      }
    });
  });
