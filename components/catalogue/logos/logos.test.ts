import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { startHttps } from '@steward/testing';
import { png, small } from '../fixtures/pictures.ts';
import { byDoor, createWorld, refusal, type World } from '../fixtures/world.ts';
import { mediaBytes } from '../media/bytes.ts';
import { pictureFile } from '../media/file.ts';
import { removeMedia } from '../media/remove.ts';
import { uploadMedium } from '../media/upload.ts';
import { serveCatalogue } from '../permissions.ts';
import { createProducts } from '../products/create.ts';
import { mostBytes } from './fit.ts';
import { getBrandLogo } from './get.ts';
import { logoOf } from './logo.ts';
import { removeBrandLogo } from './remove.ts';
import { setBrandLogo } from './set.ts';
import { uploadBrandLogo } from './upload.ts';

const [get, upload, set, remove] = [
  byDoor(getBrandLogo),
  byDoor(uploadBrandLogo),
  byDoor(setBrandLogo),
  byDoor(removeBrandLogo),
];
const jpeg = small['jpeg'] ?? Buffer.alloc(0);

describe('the logo of a brand', () => {
  let world: World;
  let home: Awaited<ReturnType<typeof startHttps>>;
  let answer: (response: ServerResponse) => void;
  let asked = 0;
  before(async () => {
    world = await createWorld();
    home = await startHttps((_request, response) => {
      asked += 1;
      answer(response);
    });
  });
  after(async () => {
    await home[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const served = async (url: string | undefined) =>
    pictureFile(world.tenancy.pool, url?.split('/').at(-1) ?? '', 2_048);
  const fetched = async (context: TenantContext, brandId: string) => {
    world.fetchMedia();
    for (;;) {
      const now = await get(context, { brandId }, world.deps);
      if (now.fetching?.status !== 'pending') return now;
      await setTimeout(10);
    }
  };
  const logoEvents = async (tenant: string) =>
    (await world.events(tenant)).filter((type) => type.startsWith('commerce.brand_logo.'));

  test('is one, uploaded or fetched, served as it came until another takes its place, and removed', async () => {
    const { context, brandId } = await world.tenant();
    assert.deepEqual(await get(context, { brandId }, world.deps), { brandId, logo: null, fetching: null });
    const first = await upload(context, { brandId, content: png(480, 160) }, world.deps);
    assert.deepEqual([first.logo?.width, first.logo?.height], [480, 160]);
    assert.match(first.logo?.url ?? '', /^https:\/\/shop\.example\/commerce\/media\/[0-9a-f]{64}$/);
    const file = await served(first.logo?.url);
    assert.equal(file?.mediaType, 'image/png');
    assert.equal(file.content.includes('where it was taken'), false);
    assert.equal(await mediaBytes(context), file.content.length, 'in one size');
    assert.deepEqual(await upload(context, { brandId, content: png(480, 160) }, world.deps), first);

    answer = (response) => response.setHeader('content-type', 'image/jpeg').end(jpeg);
    const source = `${home.url}/logo.jpg`;
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(await set(context, { brandId, url: source }, world.deps), {
        ...first,
        fetching: { source, status: 'pending', failure: null },
      });
    const second = await fetched(context, brandId);
    assert.equal(second.fetching, null);
    assert.deepEqual(await set(context, { brandId, url: source }, world.deps), second);
    assert.equal((await served(second.logo?.url))?.mediaType, 'image/jpeg');
    assert.equal(await served(first.logo?.url), undefined);
    assert.equal(asked, 1);
    const other = await world.tenant();
    const seenIn = async (tenant: string) => logoOf(world.system(tenant).require(serveCatalogue), brandId);
    assert.deepEqual(
      [await seenIn(context.tenant), await seenIn(other.context.tenant)],
      [{ path: new URL(second.logo?.url ?? '').pathname.replace('/commerce', ''), width: 3, height: 2 }, undefined],
    );

    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(await remove(context, { brandId }, world.deps), { brandId, logo: null, fetching: null });
    assert.equal(await served(second.logo?.url), undefined);
    assert.equal(await mediaBytes(context), 0);
    assert.deepEqual(await logoEvents(context.tenant), [
      'commerce.brand_logo.changed',
      'commerce.brand_logo.changed',
      'commerce.brand_logo.removed',
      'commerce.brand_logo.changed',
      'commerce.brand_logo.removed',
    ]);
  });

  test('that a product shows too stays with the one when the other lets it go', async () => {
    const { context, brandId } = await world.tenant();
    const { products } = await byDoor(createProducts)(context, { products: [{ title: 'Mug' }] }, world.deps);
    const productId = products[0]?.id ?? '';
    const shown = async () => byDoor(uploadMedium)(context, { productId, content: jpeg }, world.deps);
    const medium = await shown();
    const { logo } = await upload(context, { brandId, content: jpeg }, world.deps);
    assert.equal(logo?.url, medium.url);
    await byDoor(removeMedia)(context, { mediumIds: [medium.id] }, world.deps);
    assert.ok(await served(logo?.url));
    await shown();
    await remove(context, { brandId }, world.deps);
    assert.ok(await served(logo?.url));
  });

  test('that is too large, of another kind or no picture is refused with what would do, and nothing is kept', async () => {
    const { context, brandId } = await world.tenant();
    const wrong = {
      wide: png(481, 10),
      high: png(10, 161),
      webp: small['webp'] ?? Buffer.alloc(0),
      avif: small['avif'] ?? Buffer.alloc(0),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      cut: png(400, 100).subarray(0, 300),
      bomb: png(10, 10, 0, { width: 30_000, height: 30_000 }),
    };
    for (const [what, content] of Object.entries(wrong)) {
      await assert.rejects(upload(context, { brandId, content }, world.deps), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'logo_unusable', what);
        assert.match(error.message, /PNG or JPEG of at most 480 × 160 pixels and 256 kB/);
        return true;
      });
    }
    const empty = upload(context, { brandId, content: Buffer.alloc(0) }, world.deps);
    assert.equal((await refusal(empty)).code, 'invalid_request');
    const unknown = { brandId: newId() };
    for (const work of [
      async () => upload(context, { ...unknown, content: jpeg }, world.deps),
      async () => get(context, unknown, world.deps),
      async () => remove(context, unknown, world.deps),
    ])
      assert.deepEqual(await refusal(work()), { code: 'not_found', at: { '/brandId': 'not_found' } });
    assert.equal(await mediaBytes(context), 0);
    assert.deepEqual(await logoEvents(context.tenant), []);
  });

  test('is fetched from public https addresses alone, and what cannot be one leaves the one that is there', async () => {
    const { context, brandId } = await world.tenant();
    for (const url of ['http://a.example/logo.png', 'https://', 'file:///etc/passwd'])
      assert.equal((await refusal(set(context, { brandId, url }, world.deps))).code, 'invalid_request', url);
    const { logo } = await upload(context, { brandId, content: jpeg }, world.deps);
    const picture = (content: Buffer) => (response: ServerResponse) =>
      response.setHeader('content-type', 'image/png').end(content);
    const answers: Record<string, [failure: string, (response: ServerResponse) => void]> = {
      wide: ['logo_unusable', picture(png(481, 10))],
      heavy: ['logo_unusable', picture(Buffer.concat([png(48, 16), Buffer.alloc(mostBytes)]))],
      webp: ['logo_unusable', picture(small['webp'] ?? Buffer.alloc(0))],
      page: ['not_a_picture', (response) => response.setHeader('content-type', 'text/html').end('<p>')],
      missing: ['refused', (response) => response.writeHead(404).end()],
      inside: ['address_not_public', (response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end()],
    };
    for (const [what, [failure, given]] of Object.entries(answers)) {
      answer = given;
      const source = `${home.url}/${what}`;
      await set(context, { brandId, url: source }, world.deps);
      const now = await fetched(context, brandId);
      assert.deepEqual(now, { brandId, logo, fetching: { source, status: 'failed', failure } }, what);
    }
    const source = 'https://[::ffff:169.254.169.254]/';
    await set(context, { brandId, url: source }, world.deps);
    assert.equal((await fetched(context, brandId)).fetching?.failure, 'address_not_public');
    // What failed may be tried again, and a product's picture is named by no id of a logo.
    answer = picture(png(10, 10));
    await set(context, { brandId, url: `${home.url}/wide` }, world.deps);
    assert.deepEqual((await fetched(context, brandId)).logo?.width, 10);
    const [row] = await world.admin.query<{ id: string }>(
      sql`select medium_id as id from catalogue.medium where tenant_id = ${context.tenant}::uuid`,
    );
    const mediumIds = [row?.id];
    assert.deepEqual((await refusal(byDoor(removeMedia)(context, { mediumIds }, world.deps))).at, {
      '/mediumIds/0': 'unknown_medium',
    });
  });
});
