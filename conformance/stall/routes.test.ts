import { after, before, describe, test } from 'node:test';
import { json, createStallWorld, texts, timeout, type StallWorld } from './world.ts';
import { files } from './files.ts';
import { fill, jsonOf } from './fill.ts';
import { hostileTexts } from './hostile.ts';
import { restOperations } from './operations.ts';
import type { Sent } from './watch.ts';

// The same for every form, and for every route that the reference describes.

describe('no request holds up another one', { timeout }, () => {
  let stall: StallWorld;
  before(async () => {
    stall = await createStallWorld();
  });
  after(async () => stall[Symbol.asyncDispose]());

  test('whatever a visitor sends to a form', { timeout }, async () => {
    const { world, shop, furniture, quiet } = stall;
    const url = `${world.server.addresses.storefront}/forms/${furniture.formId}/submit`;
    const headers = { ...json, 'x-service-sdk-key': shop.key };
    const list = Array.from({ length: 16_000 }, (_one, at) => at.toString(36));
    // As long as it may be: 64 KiB of JSON.
    const longestOf = (text: string): string | undefined => {
      const made = hostileTexts[text];
      const bytes = Buffer.byteLength(JSON.stringify(made?.(1_000))) / 1_000;
      return made?.(Math.floor(64_000 / bytes));
    };
    const values = [...texts.map(longestOf), list];
    await quiet(
      furniture.fields.flatMap((name) =>
        values.map((value, index): Sent => {
          const data = { ...(name === 'email' ? {} : { email: 'ada@example.com' }), [name]: value };
          return { name, what: texts[index] ?? 'many items', method: 'POST', url, headers, body: jsonOf({ data }) };
        }),
      ),
    );
  });

  test('whatever a visitor narrows a list of products by', { timeout }, async () => {
    const { world, shop, quiet } = stall;
    const headers = { 'x-service-sdk-key': shop.key };
    /** As many characters of an address as the server reads, with as many values as it takes, with one, and with far more than it takes. */
    const search = function* (text: string): Generator<string> {
      const made = hostileTexts[text] ?? (() => text);
      const all = [
        'tag',
        'vendor',
        'type',
        'collection',
        'option',
        'facets',
        'priceFrom',
        'priceTo',
        'currency',
        'query',
      ];
      for (const [count, length] of [
        [20, 250],
        [1, 2_000],
        [1, 10_000],
        [501, 10],
      ] as const)
        for (const names of [...all.map((name) => [name]), ['tag', 'option', 'facets']]) {
          const room = Math.min(length, Math.floor(12_000 / count / names.length));
          const given = new URLSearchParams();
          for (let at = 0; at < count; at += 1)
            for (const name of names) {
              const begin = name === 'facets' ? 'option:' : name === 'option' ? `Colour${at}:` : '';
              given.append(name, `${begin}${at}${made(room)}`);
            }
          yield given.toString().slice(0, 15_000);
        }
    };
    await quiet(
      texts.values().flatMap((text) =>
        search(text).map((query): Sent => ({
          name: 'list of products',
          what: `${text}: ${query.slice(0, 40)}, ${query.length}`,
          method: 'GET',
          url: `${world.server.addresses.storefront}/products?${query}`,
          headers,
        })),
      ),
    );
  });

  test('whatever a route is sent that the reference describes', { timeout }, async () => {
    const { shop, origin, owner, rounds, bodies, quiet, idOf } = stall;
    // Each is made when it is its turn: making all of them takes so long that the server closes connections meanwhile.
    await quiet(
      restOperations()
        .values()
        .flatMap(function* ({ method, path, query, bodies: of }): Generator<Sent> {
          const name = `${method} ${path}`;
          const url = origin + path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => idOf(key));
          const headers = { ...owner, 'x-service-sdk-key': shop.key };
          const asked = { type: 'object', properties: query };
          for (const [type, shape] of Object.entries(of))
            for (const { what, body } of type === 'application/json'
              ? bodies(shape)
              : [{ what: type, body: files[0]?.content ?? '' }])
              yield { name, what, method, url, headers: { ...headers, 'content-type': type }, body };
          const room = Math.floor(3_000 / Math.max(1, Object.keys(query).length));
          for (const round of Object.keys(query).length === 0 ? [] : rounds(asked)) {
            const given = Object.entries(fill(asked, { ...round, room, mostItems: 0 }) as object);
            const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
            yield { name, method, url: `${url}?${search.slice(0, 12_000)}`, headers };
          }
        }),
    );
  });
});
