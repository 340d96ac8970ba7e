import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { startHttps } from '@steward/testing';
import { png, small } from '../fixtures/pictures.ts';
import { byDoor, createWorld, refusal, type World } from '../fixtures/world.ts';
import { createProducts } from '../products/create.ts';
import { getProduct } from '../products/get.ts';
import { listPublished, readPublished } from '../products/published.ts';
import { setVariants } from '../products/set-variants.ts';
import { addMedia } from './add.ts';
import { mediaBytes } from './bytes.ts';
import { pictureFile } from './file.ts';
import { createPictures } from './pictures.ts';
import { removeMedia } from './remove.ts';
import { updateMedia } from './update.ts';
import { uploadMedium } from './upload.ts';

const [add, update, remove] = [byDoor(addMedia), byDoor(updateMedia), byDoor(removeMedia)];
const upload = byDoor(uploadMedium);
const digestIn = (url: string | null): string => url?.split('/').at(-1) ?? '';

describe('pictures of products', () => {
  let world: World;
  let home: Awaited<ReturnType<typeof startHttps>>;
  let answers: Record<string, (response: ServerResponse) => void> = {};
  before(async () => {
    world = await createWorld();
    home = await startHttps((request, response) => {
      const answer = answers[request.url ?? ''];
      if (answer === undefined) response.writeHead(404).end();
      else answer(response);
    });
  });
  after(async () => {
    await home[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const made = async (context: TenantContext, brandIds: string[] = []): Promise<string> => {
    const { products } = await byDoor(createProducts)(
      context,
      {
        products: [
          {
            title: 'Mug',
            handle: 'mug',
            status: 'active',
            brandIds,
            options: ['Size'],
            variants: [{ options: { Size: 'S' } }, { options: { Size: 'L' } }],
          },
        ],
      },
      world.deps,
    );
    return products[0]?.id ?? '';
  };
  const read = async (context: TenantContext, productId: string) =>
    byDoor(getProduct)(context, { productId }, world.deps);

  test('are kept in several widths, without what else was in the file, and served by their digest', async () => {
    const { context, brandId } = await world.tenant();
    const productId = await made(context, [brandId]);
    const one = await upload(context, { productId, alt: 'A mug', content: png(700, 300) }, world.deps);
    assert.deepEqual([one.status, one.width, one.height, one.alt], ['ready', 700, 300, 'A mug']);
    assert.match(one.url ?? '', /^https:\/\/shop\.example\/commerce\/media\/[0-9a-f]{64}$/);
    const file = async (width: number) => pictureFile(world.tenancy.pool, digestIn(one.url), width);
    const [narrow, middle, whole, beyond] = await Promise.all([100, 321, 641, 9_999].map(file));
    assert.deepEqual(
      [narrow, middle, whole, beyond].map((each) => each?.mediaType),
      ['image/webp', 'image/webp', 'image/png', 'image/png'],
    );
    assert.deepEqual(whole, beyond);
    assert.ok((narrow?.content.length ?? 0) < (middle?.content.length ?? 0));
    assert.equal(whole?.content.includes('where it was taken'), false);
    assert.equal(await pictureFile(world.tenancy.pool, 'f'.repeat(64), 100), undefined);
    const sum = [narrow, middle, whole].reduce((bytes, each) => bytes + (each?.content.length ?? 0), 0);
    assert.equal(await mediaBytes(context), sum);
    const shown = await readPublished(world.system(context.tenant), brandId, 'mug', {
      ...world.deps,
      mediaAt: 'https://a.example',
    });
    assert.deepEqual(shown?.product.media, [
      {
        id: one.id,
        url: `https://a.example/media/${digestIn(one.url)}`,
        alt: 'A mug',
        width: 700,
        height: 300,
        variantIds: [],
      },
    ]);
    const { items } = await listPublished(
      world.system(context.tenant),
      brandId,
      { limit: 10 },
      { ...world.deps, mediaAt: 'https://a.example' },
    );
    assert.deepEqual(items[0]?.image, {
      url: `https://a.example/media/${digestIn(one.url)}`,
      alt: 'A mug',
      width: 700,
      height: 300,
    });
    assert.ok((await world.events(context.tenant)).includes('commerce.product.pictured'));
  });

  test('are JPEG, PNG, WebP, GIF and AVIF; what is none, is damaged or has too many pixels is refused, and nothing is kept', async () => {
    const { context } = await world.tenant();
    const productId = await made(context);
    for (const [format, content] of Object.entries(small)) {
      const one = await upload(context, { productId, content }, world.deps);
      assert.deepEqual([one.width, one.height], [3, 2], format);
    }
    const before = await mediaBytes(context);
    const wrong = {
      html: Buffer.from('<html><script>'),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      pdf: Buffer.from('%PDF-1.4\n'),
      cut: png(400, 400).subarray(0, 700),
      bomb: png(10, 10, 0, { width: 30_000, height: 30_000 }),
    };
    for (const [what, content] of Object.entries(wrong))
      assert.equal(
        (await refusal(upload(context, { productId, content }, world.deps))).code,
        'picture_unreadable',
        what,
      );
    assert.equal(
      (await refusal(upload(context, { productId, content: Buffer.alloc(0) }, world.deps))).code,
      'invalid_request',
    );
    assert.equal(
      (await refusal(upload(context, { productId: newId(), content: png(3, 3) }, world.deps))).code,
      'not_found',
    );
    assert.deepEqual([(await read(context, productId)).media.length, await mediaBytes(context)], [4, before]);
  });

  test('are added once, moved, described, tied to variants and removed; what nothing shows any more is served no more', async () => {
    const { context } = await world.tenant();
    const productId = await made(context);
    const { products } = await byDoor(createProducts)(context, { products: [{ title: 'Cup' }] }, world.deps);
    const cup = products[0]?.id ?? '';
    const ids: string[] = [];
    for (const seed of [1, 2, 3])
      ids.push((await upload(context, { productId, content: png(9, 9, seed) }, world.deps)).id);
    const again = await upload(context, { productId, content: png(9, 9, 2) }, world.deps);
    assert.equal(again.id, ids[1]);
    const shared = await upload(context, { productId: cup, content: png(9, 9, 3) }, world.deps);
    const [one, two, three] = ids;
    const { variants, version } = await read(context, productId);
    const large = variants[1]?.id ?? '';
    const change = {
      media: [
        { mediumId: three, position: 1, alt: 'Third', variantIds: [large] },
        { mediumId: one, position: 50 },
      ],
    };
    await update(context, change, world.deps);
    const after = await read(context, productId);
    assert.deepEqual(
      after.media.map(({ id }) => id),
      [three, two, one],
    );
    assert.deepEqual([after.media[0]?.alt, after.media[0]?.variantIds, after.image?.alt], ['Third', [large], 'Third']);
    await update(context, change, world.deps);
    assert.equal((await read(context, productId)).version, version + 1);
    await byDoor(setVariants)(context, { productId, variants: [{ options: { Size: 'S' } }] }, world.deps);
    assert.deepEqual((await read(context, productId)).media[0]?.variantIds, []);

    const size = await mediaBytes(context);
    await remove(context, { mediumIds: [three] }, world.deps);
    assert.equal(await mediaBytes(context), size, 'the other product shows it');
    assert.notEqual(await pictureFile(world.tenancy.pool, digestIn(shared.url), 9), undefined);
    await remove(context, { mediumIds: [shared.id, two, one] }, world.deps);
    assert.equal(await pictureFile(world.tenancy.pool, digestIn(shared.url), 9), undefined);
    assert.deepEqual([await mediaBytes(context), (await read(context, productId)).image], [0, null]);

    const stranger = await world.tenant();
    assert.deepEqual((await refusal(remove(stranger.context, { mediumIds: [newId()] }, world.deps))).at, {
      '/mediumIds/0': 'unknown_medium',
    });
    const fresh = await upload(context, { productId, content: png(9, 9, 7) }, world.deps);
    assert.deepEqual(
      (await refusal(update(stranger.context, { media: [{ mediumId: fresh.id, alt: 'x' }] }, world.deps))).at,
      { '/media/0/mediumId': 'unknown_medium' },
    );
    assert.deepEqual(
      (
        await refusal(
          update(context, { media: [{ mediumId: fresh.id, variantIds: [large] }, { mediumId: fresh.id }] }, world.deps),
        )
      ).code,
      'invalid_request',
    );
  });

  test('that come and go at the same time leave what is shown', async () => {
    const { context } = await world.tenant();
    const productId = await made(context);
    const content = png(400, 40, 5);
    for (let round = 0; round < 3; round += 1) {
      const { id } = await upload(context, { productId, content }, world.deps);
      const { products } = await byDoor(createProducts)(
        context,
        { products: [{ title: `Race ${round}` }] },
        world.deps,
      );
      const other = products[0]?.id ?? '';
      const [, kept] = await Promise.all([
        remove(context, { mediumIds: [id] }, world.deps),
        upload(context, { productId: other, content }, world.deps),
      ]);
      assert.notEqual(await pictureFile(world.tenancy.pool, digestIn(kept.url), 400), undefined);
      await remove(context, { mediumIds: [kept.id] }, world.deps);
    }
    const [left] = await world.admin.query<{ many: number }>(
      sql`select count(*)::int as many from catalogue.picture_size where tenant_id = ${context.tenant}::uuid`,
    );
    assert.deepEqual([left?.many, await mediaBytes(context)], [0, 0]);
  });

  test('are fetched from public addresses, and each that is not there says why', async () => {
    const { context } = await world.tenant();
    const productId = await made(context);
    const send = (type: string, body: Buffer) => (response: ServerResponse) =>
      response.setHeader('content-type', type).end(body);
    answers = {
      '/good': send('image/png', png(20, 20, 1)),
      '/moved': (response) => response.writeHead(302, { location: '/good2' }).end(),
      '/good2': send('application/octet-stream', png(20, 20, 2)),
      '/inside': (response) => response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
      '/port': (response) => response.writeHead(302, { location: 'https://example.com:8443/a.png' }).end(),
      '/plain': (response) => response.writeHead(301, { location: 'http://example.com/' }).end(),
      '/round': (response) => response.writeHead(301, { location: '/round' }).end(),
      '/page': send('text/html', Buffer.from('<html>')),
      '/lie': send('image/png', Buffer.from('<html>')),
      '/long': (response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(Buffer.alloc(10_485_761));
      },
      '/busy': (response) => response.writeHead(503).end(),
    };
    const names = [...Object.keys(answers), '/none'];
    const given = [
      ...names.map((name) => home.url + name),
      'https://example.com:22/a.png',
      'https://10.0.0.1/a.png',
      'https://[::ffff:127.0.0.1]/a.png',
    ];
    const { media } = await add(context, { media: given.map((url) => ({ productId, url })) }, world.deps);
    assert.deepEqual(new Set(media.map(({ status }) => status)), new Set(['pending']));
    const twice = await add(context, { media: given.map((url) => ({ productId, url })) }, world.deps);
    assert.deepEqual(
      twice.media.map(({ id }) => id),
      media.map(({ id }) => id),
    );
    world.fetchMedia();
    const waiting = async () =>
      (await read(context, productId)).media.filter(({ status }) => status === 'pending').length;
    while ((await waiting()) > 1) await setTimeout(20);
    const told = Object.fromEntries(
      (await read(context, productId)).media.map(({ source, status, failure }) => [
        source?.replace(home.url, ''),
        failure ?? status,
      ]),
    );
    assert.deepEqual(told, {
      '/good': 'ready',
      '/moved': 'ready',
      '/good2': 'ready',
      '/inside': 'address_not_public',
      '/port': 'port_not_allowed',
      'https://example.com:22/a.png': 'port_not_allowed',
      '/plain': 'redirected',
      '/round': 'redirected',
      '/page': 'not_a_picture',
      '/lie': 'not_a_picture',
      '/long': 'too_large',
      '/busy': 'pending',
      '/none': 'refused',
      'https://10.0.0.1/a.png': 'address_not_public',
      'https://[::ffff:127.0.0.1]/a.png': 'address_not_public',
    });
  });

  test('name at most fifty of a product, and only products, variants and addresses that may be', async () => {
    const { context } = await world.tenant();
    const productId = await made(context);
    const urls = Array.from({ length: 51 }, (_none, index) => ({
      productId,
      url: `https://pictures.invalid/${index}.png`,
    }));
    assert.deepEqual((await refusal(add(context, { media: urls }, world.deps))).at, { '/media/50': 'too_big' });
    for (const url of ['http://example.com/a.png', 'https://', 'file:///etc/passwd', 'https://a b'])
      assert.equal(
        (await refusal(add(context, { media: [{ productId, url }] }, world.deps))).code,
        'invalid_request',
        url,
      );
    const url = 'https://pictures.invalid/a.png';
    assert.deepEqual(
      (
        await refusal(
          add(
            context,
            {
              media: [
                { productId: newId(), url },
                { productId, url, variantIds: [newId()] },
              ],
            },
            world.deps,
          ),
        )
      ).at,
      { '/media/0/productId': 'unknown_product', '/media/1/variantIds/0': 'unknown_variant' },
    );
    assert.deepEqual((await read(context, productId)).media, []);
  });
});

test('a picture that takes too long is given up, and the next one is read', async () => {
  await using pictures = createPictures({ most: 1 });
  assert.equal(await pictures.read(png(2_000, 2_000), 'a'), 'too_slow');
  await using patient = createPictures();
  assert.equal(typeof (await patient.read(png(20, 20), 'a')), 'object');
});

test('pictures of one who sends many keep those of others waiting for one of them', async () => {
  await using pictures = createPictures();
  const read: string[] = [];
  const send = async (of: string, seed: number): Promise<void> => {
    await pictures.read(png(40, 40, seed), of);
    read.push(of);
  };
  await Promise.all([...['a', 'a', 'a', 'a', 'b', 'c'].entries()].map(async ([seed, of]) => send(of, seed)));
  assert.deepEqual(read, ['a', 'b', 'c', 'a', 'a', 'a']);
});
