import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { createProducts } from './create.ts';
import { listProducts } from './list.ts';
import { listPublished } from './published.ts';
import { mistakesBetween } from './spelling.ts';
import { updateProducts } from './update.ts';

describe('a misspelt word', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** Of a tenant whose brand sells these; drafts are sold nowhere. */
  const shop = async (titles: readonly string[], drafts: readonly string[] = []) => {
    const { context, brandId } = await world.tenant();
    const sold = { status: 'active', brandIds: [brandId] };
    const { products } = await byDoor(createProducts)(
      context,
      { products: [...titles.map((title) => ({ title, ...sold })), ...drafts.map((title) => ({ title }))] },
      world.deps,
    );
    const find = async (query: string, more: object = {}) => {
      const { items, corrections } = await listProducts(context, { limit: 50, query, ...more }, world.deps);
      return [items.map(({ title }) => title), corrections.map(({ word, to }) => `${word} → ${to}`)];
    };
    const visit = async (query: string, more: object = {}) => {
      const asked = { limit: 50, query, ...more };
      const { items, corrections } = await listPublished(world.system(context.tenant), brandId, asked, world.deps);
      return [items.map(({ title }) => title), corrections.map(({ word, to }) => `${word} → ${to}`)];
    };
    return { context, products, find, visit };
  };

  test('is corrected by one letter from four letters on and by two from eight on, and the answer says so', async () => {
    const { find } = await shop(['Blue shirt', 'Leather sandals', 'Lamp', 'Cup', 'Übergröße']);
    for (const [query, title, ...told] of [
      ['shrit', 'Blue shirt', 'shrit → shirt'],
      ['shirtt BLUE', 'Blue shirt', 'shirtt → shirt'],
      ['hirt', 'Blue shirt', 'hirt → shirt'],
      ['lanp', 'Lamp', 'lanp → lamp'],
      ['sandlaes', 'Leather sandals', 'sandlaes → sandals'],
      ['lether sandalls', 'Leather sandals', 'lether → leather', 'sandalls → sandals'],
      ['ubergrose', 'Übergröße', 'ubergrose → ubergrosse'],
      ['blue', 'Blue shirt'],
    ] as const)
      assert.deepEqual(await find(query), [[title], told], query);
    for (const query of ['cap', 'sihrtt', 'sxndxlz', 'blue leather', 'sh1rt', '🙂', '4711']) {
      assert.deepEqual(await find(query), [[], []], query);
    }
  });

  test('is corrected to the nearest word, and of equally near ones to that of most products', async () => {
    const { find } = await shop(['Boat', 'Boot red', 'Boot black', 'Bolts']);
    assert.deepEqual((await find('bojt'))[1], ['bojt → boot']);
    assert.deepEqual((await find('bolds'))[1], ['bolds → bolts']);
  });

  test('is corrected by words that products have now', async () => {
    const { context, products, find } = await shop(['Trousers', 'Old trousers', 'Jacket']);
    const rename = async (at: number, title: string) =>
      byDoor(updateProducts)(context, { products: [{ productId: products[at]?.id, title }] }, world.deps);
    await rename(0, 'Skirt');
    assert.deepEqual(await find('trouzers'), [['Old trousers'], ['trouzers → trousers']]);
    await rename(1, 'Stockings');
    assert.deepEqual(await find('trouzers'), [[], []]);
    const left = await world.admin.query(
      sql`select distinct word from catalogue.spelling where tenant_id = ${context.tenant}::uuid order by word`,
    );
    assert.deepEqual(
      left.map((row) => row['word']),
      ['jacket', 'skirt', 'stockings'],
    );
    await rename(1, 'Trousers');
    assert.deepEqual(await find('trouzers'), [['Trousers'], ['trouzers → trousers']]);
  });

  test('is never corrected for visitors by a word that no product has which they may see', async () => {
    const { find, visit } = await shop(['Sofa bed'], ['Secret telescope']);
    assert.deepEqual(await find('telescape'), [['Secret telescope'], ['telescape → telescope']]);
    assert.deepEqual(await visit('telescape'), [[], []]);
    assert.deepEqual(await visit('telescope'), [[], []]);
    assert.deepEqual(await visit('soffa'), [['Sofa bed'], ['soffa → sofa']]);
    const other = await shop(['Chair']);
    assert.deepEqual(await other.visit('soffa'), [[], []]);
  });

  test('is corrected on every page of what is found', async () => {
    const { context } = await shop(['Lantern one', 'Lantern two', 'Lantern three']);
    const titles: string[] = [];
    let cursor: string | undefined;
    do {
      const found = await listProducts(context, { limit: 1, query: 'lantren', cursor }, world.deps);
      assert.deepEqual(found.corrections, [{ word: 'lantren', to: 'lantern' }]);
      titles.push(...found.items.map(({ title }) => title));
      cursor = found.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(titles, ['Lantern three', 'Lantern two', 'Lantern one']);
  });

  test('of any kind that counts is found, wherever in the word it is', async () => {
    const words = ['lamp', 'shirt', 'basket', 'curtain', 'notebook', 'wallpaper', 'aaaaaaaaaaaa'];
    const { find } = await shop(words);
    const within = (word: string): string[] =>
      Array.from(word).flatMap((letter, at) => {
        const [first, rest] = [word.slice(0, at), word.slice(at + 1)];
        return [
          first + rest,
          `${first}x${rest}`,
          `${first}x${letter}${rest}`,
          first + rest.slice(0, 1) + letter + rest.slice(1),
        ];
      });
    for (const word of words) {
      const once = within(word);
      // Two mistakes at every fifth of the many places.
      const all = [...once, ...once.flatMap(within).filter((_, at) => at % 29 === 0)];
      for (const wrong of new Set(all)) {
        const mayHave = wrong.length < 4 ? 0 : wrong.length < 8 ? 1 : 2;
        const mistakes = mistakesBetween(wrong, word, 2);
        // The beginning of a word is found as it is.
        if (wrong.length < 3 || word.startsWith(wrong)) continue;
        assert.deepEqual((await find(wrong))[0], mistakes <= mayHave ? [word] : [], `${wrong} for ${word}`);
      }
    }
  });
});
