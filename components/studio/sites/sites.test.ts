import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roles, type Role } from '@steward/access';
import { newId } from '@steward/kernel';
import { byDoor, createWorld, faults, refused, type World } from '../fixtures/world.ts';
import { createSite } from './create.ts';
import { getSite } from './get.ts';
import { listSites } from './list.ts';
import { updateSite } from './update.ts';

describe('sites', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('belong to the default brand where none is named, and to no brand that is not there', async () => {
    const context = await world.tenant();
    const { deps } = world.studio;
    const site = await byDoor(createSite)(
      context,
      {
        name: '  Shop ',
        origins: ['https://Shop.example', 'https://shop.example:443'],
      },
      deps,
    );
    assert.equal(site.name, 'Shop');
    assert.deepEqual(site.origins, ['https://shop.example']);
    assert.deepEqual(await getSite(context, { siteId: site.id }), site);
    assert.equal((await createSite(context, { name: 'Two', brandId: site.brandId }, deps)).brandId, site.brandId);
    const other = await refused(createSite(context, { name: 'Three', brandId: newId() }, deps));
    assert.deepEqual([other.status, faults(other)], [400, { '/brandId': 'unknown_brand' }]);
    const moved = await refused(updateSite(context, { siteId: site.id, brandId: newId() }, deps));
    assert.deepEqual(faults(moved), { '/brandId': 'unknown_brand' });
    assert.deepEqual(await world.events(context.tenant), ['studio.site.created', 'studio.site.created']);
  });

  test('are refused with a pointer to each fault', async () => {
    const context = await world.tenant();
    const { deps } = world.studio;
    const wrong = [
      [{ name: '' }, { '/name': 'too_small' }],
      [{ name: 'a\u0000b' }, { '/name': 'invalid_format' }],
      [{ name: 'a\nb' }, { '/name': 'invalid_format' }],
      [
        { name: 'a', origins: ['https://ok.example', '*', 'http://x.example'] },
        { '/origins/1': 'invalid_origin', '/origins/2': 'invalid_origin' },
      ],
      [
        { name: 'a', origins: Array.from({ length: 51 }, (_, index) => `https://a${index}.example`) },
        { '/origins': 'too_big' },
      ],
      [{ name: 'a', defaultCountry: 'EU' }, { '/defaultCountry': 'invalid_value' }],
      [{ name: 'a', extra: 1 }, { '/extra': 'unknown_field' }],
    ] as const;
    for (const [input, expected] of wrong) {
      const problem = await refused(byDoor(createSite)(context, input, deps));
      assert.deepEqual([problem.code, faults(problem)], ['invalid_request', expected]);
    }
    assert.deepEqual(await world.events(context.tenant), []);
  });

  test('change by what is given, and record that they were disabled and enabled', async () => {
    const context = await world.tenant();
    const { deps } = world.studio;
    const site = await createSite(context, { name: 'Shop', defaultCountry: 'DE' }, deps);
    const off = await updateSite(context, { siteId: site.id, status: 'disabled', defaultCountry: null }, deps);
    assert.deepEqual([off.status, off.defaultCountry, off.name, off.version], ['disabled', null, 'Shop', 2]);
    assert.equal(
      (await updateSite(context, { siteId: site.id, status: 'disabled' }, deps)).version,
      2,
      'nothing changed',
    );
    await updateSite(context, { siteId: site.id, status: 'active' }, deps);
    assert.equal((await updateSite(context, { siteId: site.id }, deps)).version, 3, 'nothing was to be changed');
    assert.deepEqual(await world.events(context.tenant), [
      'studio.site.created',
      'studio.site.updated',
      'studio.site.disabled',
      'studio.site.updated',
      'studio.site.enabled',
    ]);
  });

  test('are listed in pages', async () => {
    const context = await world.tenant();
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) made.push((await createSite(context, { name }, world.studio.deps)).id);
    const first = await listSites(context, { limit: 2 });
    const second = await listSites(context, { limit: 2, cursor: first.nextCursor ?? undefined });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      // Ids of one millisecond have no order of making.
      made.toSorted(),
    );
    assert.equal(second.nextCursor, null);
  });

  test('are made by owners, admins, developers and merchandisers, and read by every member', async () => {
    const { tenant } = await world.tenant(
      Object.fromEntries(roles.map((role) => [role, role])) as Record<string, Role>,
    );
    const makers: string[] = [];
    for (const role of roles) {
      const context = world.as(tenant, role);
      await listSites(context, { limit: 1 });
      try {
        await createSite(context, { name: role }, world.studio.deps);
        makers.push(role);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'insufficient_role');
      }
    }
    assert.deepEqual(makers, ['owner', 'admin', 'merchandiser', 'developer']);
    const stranger = world.as(tenant, 'mallory');
    assert.equal((await refused(listSites(stranger, { limit: 1 }))).code, 'tenant_forbidden');
  });

  test('of another tenant are not found, whatever is asked of them', async () => {
    const mine = await world.tenant();
    const theirs = await world.tenant();
    const { deps } = world.studio;
    const site = await createSite(theirs, { name: 'Theirs' }, deps);
    for (const id of [site.id, newId()]) {
      const problems = [
        await refused(getSite(mine, { siteId: id })),
        await refused(updateSite(mine, { siteId: id, name: 'Mine' }, deps)),
      ];
      for (const { code, detail } of problems)
        assert.deepEqual(
          [code, detail],
          ['not_found', 'There is no such site in this tenant: list the sites for their ids.'],
        );
    }
  });
});
