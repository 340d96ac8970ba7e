import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roles, type Role } from '@steward/access';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { byDoor, createWorld, faults, refused, rolesThatMay, type World } from '../fixtures/world.ts';
import { manageSelling } from '../permissions.ts';
import { archiveShippingOption } from './archive-option.ts';
import { archiveShippingZone } from './archive-zone.ts';
import { createShippingOption } from './create-option.ts';
import { createShippingZone } from './create-zone.ts';
import { listShippingOptions } from './list-options.ts';
import { listShippingZones } from './list-zones.ts';
import { pickupsAt } from './pickups-at.ts';
import { quoteShipping } from './quote.ts';
import { updateShippingOption } from './update-option.ts';
import { updateShippingZone } from './update-zone.ts';

const all = { limit: 50, archived: false };

describe('shipping', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const zone = async (context: TenantContext, ...places: object[]): Promise<string> =>
    (await byDoor(createShippingZone)(context, { name: 'A zone', places })).id;
  const option = async (context: TenantContext, shippingZoneId: string | undefined, more: object = {}) =>
    world.withOthers(createShippingOption)(context, {
      ...(shippingZoneId === undefined ? {} : { shippingZoneId }),
      name: 'Parcel',
      kind: 'flat',
      currency: 'EUR',
      ...more,
    });
  const offered = async (context: TenantContext, more: object = {}) => {
    const { options } = await byDoor(quoteShipping)(context, {
      country: 'DE',
      currency: 'EUR',
      price: '20.00',
      weightGrams: 500,
      ...more,
    });
    return options.map(({ name, amount }) => [name, amount.amount]);
  };

  test('is told once of a country and of a currency that are none, however they are wrong', async () => {
    const context = await world.tenant();
    for (const [country, currency] of [
      ['Germany', 'euro'],
      ['ZZ', 'ZZZ'],
    ]) {
      const { errors = [] } = await refused(offered(context, { country, currency }));
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        ['/country', '/currency'],
      );
    }
  });

  test('costs by weight, by price or flat, and is free from a price on', async () => {
    const context = await world.tenant();
    const id = await zone(context, { country: 'DE' });
    const weightBrackets = [
      { fromGrams: 0, toGrams: 1_000, amount: '4.90' },
      { fromGrams: 1_000, toGrams: 31_500, amount: '9.90' },
    ];
    const priceBrackets = [
      { from: '0.00', to: '50.00', amount: '5.00' },
      { from: '50.00', to: null, amount: '2.50' },
    ];
    await option(context, id, { name: 'Weight', kind: 'by_weight', weightBrackets, position: 2 });
    await option(context, id, { name: 'Price', kind: 'by_price', priceBrackets, position: 1 });
    await option(context, id, { amount: '3.00', freeFrom: '100.00', position: 3 });
    assert.deepEqual(await offered(context), [
      ['Price', '5.00'],
      ['Weight', '4.90'],
      ['Parcel', '3.00'],
    ]);
    assert.deepEqual(await offered(context, { price: '100.00', weightGrams: 1_000 }), [
      ['Price', '2.50'],
      ['Weight', '9.90'],
      ['Parcel', '0.00'],
    ]);
    assert.deepEqual(
      (await offered(context, { price: '99.99', weightGrams: 31_500 })).map(([name]) => name),
      ['Price', 'Parcel'],
      'too heavy for a bracket',
    );
  });

  test('goes by the most specific zone of an address, and not to what no zone has', async () => {
    const context = await world.tenant();
    const country = await zone(context, { country: 'DE' }, { country: 'AT' });
    const islands = await zone(context, { country: 'DE', postcodes: ['25849', '27498-27499'] });
    await option(context, country, { name: 'Land', amount: '5.00' });
    await option(context, islands, { name: 'Ferry', amount: '15.00' });
    assert.deepEqual(await offered(context, { postcode: '10115' }), [['Land', '5.00']]);
    assert.deepEqual(await offered(context, { postcode: '27498' }), [['Ferry', '15.00']]);
    const elsewhere = await refused(offered(context, { country: 'FR' }));
    assert.deepEqual(
      [elsewhere.status, elsewhere.code, faults(elsewhere)],
      [422, 'country_not_served', { '/country': 'country_not_served' }],
    );
    assert.equal((await refused(offered(context, { currency: 'USD' }))).code, 'no_shipping_option');
    await archiveShippingZone(context, { shippingZoneId: islands });
    assert.deepEqual(await offered(context, { postcode: '27498' }), [['Land', '5.00']]);
  });

  test('may be a pickup, of every address or of those of a zone', async () => {
    const context = await world.tenant();
    const id = await zone(context, { country: 'DE' });
    const locationId = world.locationOf(context.tenant);
    await option(context, undefined, { name: 'Berlin', kind: 'pickup', locationId });
    const there = await option(context, id, { name: 'Locker', kind: 'pickup', locationId, amount: '1.00' });
    assert.deepEqual(await offered(context), [
      ['Berlin', '0.00'],
      ['Locker', '1.00'],
    ]);
    assert.deepEqual(await offered(context, { country: 'JP' }), [['Berlin', '0.00']]);
    const change = world.withOthers(updateShippingOption);
    await change(context, { shippingOptionId: there.id, active: false });
    assert.deepEqual(await offered(context), [['Berlin', '0.00']]);
    for (const nowhere of [newId(), world.locationOf((await world.tenant()).tenant)])
      for (const problem of [
        await refused(option(context, id, { kind: 'pickup', locationId: nowhere })),
        await refused(change(context, { shippingOptionId: there.id, locationId: nowhere })),
      ])
        assert.deepEqual([problem.status, faults(problem)], [400, { '/locationId': 'unknown_location' }]);
    assert.equal((await listShippingOptions(context, all)).items.length, 2);
  });

  test('has each place in one zone, once', async () => {
    const context = await world.tenant();
    const first = await zone(context, { country: 'DE' }, { country: 'US', region: 'CA' });
    await zone(context, { country: 'DE', postcodes: ['25849'] }, { country: 'US' });
    const other = await zone(context, { country: 'FR' });
    const places = [{ country: 'AT' }, { country: 'US', region: 'CA' }];
    for (const problem of [
      await refused(zone(context, ...places)),
      await refused(byDoor(updateShippingZone)(context, { shippingZoneId: other, places })),
    ])
      assert.deepEqual(
        [problem.status, problem.code, faults(problem)],
        [409, 'shipping_zone_taken', { '/places/1': 'shipping_zone_taken' }],
      );
    await byDoor(updateShippingZone)(context, { shippingZoneId: first, places: [...places, { country: 'DE' }] });
    for (const twice of [
      [{ country: 'IT' }, { country: 'IT' }],
      [{ country: 'IT' }, { country: 'IT', postcodes: ['00100'] }],
      [
        { country: 'IT', region: '62', postcodes: ['00100'] },
        { country: 'IT', region: '62' },
      ],
    ]) {
      const problem = await refused(zone(context, ...twice));
      assert.deepEqual([problem.status, faults(problem)], [400, { '/places/1': 'repeated' }]);
    }
    await archiveShippingZone(context, { shippingZoneId: first });
    await zone(context, ...places);
  });

  test('is refused with a pointer to each fault', async () => {
    const context = await world.tenant();
    const id = await zone(context, { country: 'DE' });
    const weight = (...ends: (number | null)[][]) => ({
      kind: 'by_weight',
      weightBrackets: ends.map(([fromGrams, toGrams]) => ({ fromGrams, toGrams, amount: '1.00' })),
    });
    for (const [given, expected] of [
      [{}, { '/amount': 'required' }],
      [{ amount: '-1.00' }, { '/amount': 'invalid_amount' }],
      [{ amount: '1.005' }, { '/amount': 'invalid_amount' }],
      [{ amount: '1' }, { '/amount': 'invalid_amount' }],
      [{ amount: '9999999999999.00' }, { '/amount': 'invalid_amount' }],
      [{ amount: '1.00', currency: 'XAU' }, { '/currency': 'invalid_value' }],
      [{ amount: '1.00', locationId: newId() }, { '/locationId': 'not_of_kind' }],
      [{ amount: '1.00', minDays: 3 }, { '/maxDays': 'required' }],
      [{ amount: '1.00', minDays: 3, maxDays: 2 }, { '/maxDays': 'invalid_value' }],
      [{ amount: '1.00', colour: 'red' }, { '/colour': 'unknown_field' }],
      [{ kind: 'pickup' }, { '/locationId': 'required' }],
      [{ kind: 'by_weight' }, { '/weightBrackets': 'required' }],
      [weight([0, 10], [9, 20]), { '/weightBrackets/1/fromGrams': 'brackets_overlap' }],
      [weight([0, 10], [11, 20]), { '/weightBrackets/1/fromGrams': 'brackets_gap' }],
      [weight([1, 10]), { '/weightBrackets/0/fromGrams': 'brackets_gap' }],
      [weight([0, null], [10, 20]), { '/weightBrackets/1/fromGrams': 'brackets_overlap' }],
      [weight([0, 0]), { '/weightBrackets/0/toGrams': 'invalid_value' }],
      [weight([0, 1.5]), { '/weightBrackets/0/toGrams': 'invalid_type' }],
    ] as const) {
      const problem = await refused(option(context, id, given));
      assert.deepEqual([problem.status, faults(problem)], [400, expected], JSON.stringify(given));
    }
    const unplaced = await refused(option(context, undefined, { amount: '1.00' }));
    assert.deepEqual(faults(unplaced), { '/shippingZoneId': 'required' });
    const places = await refused(
      byDoor(createShippingZone)(context, { name: 'x', places: [{ country: 'DE', postcodes: ['9-1'] }] }),
    );
    assert.deepEqual(faults(places), { '/places/0/postcodes/0': 'invalid_value' });
    assert.deepEqual((await listShippingOptions(context, all)).items, []);
  });

  test('changes by what is given, and tells the log ids, kinds and names of members', async () => {
    const context = await world.tenant();
    const id = await zone(context, { country: 'DE', postcodes: ['1*', '2 2'] });
    const same = { shippingZoneId: id, places: [{ country: 'DE', region: null, postcodes: ['1*', '22', '22'] }] };
    assert.equal((await byDoor(updateShippingZone)(context, same)).version, 1);
    assert.equal((await byDoor(updateShippingZone)(context, { shippingZoneId: id, name: '<b>' })).name, '<b>');
    const brackets = [{ fromGrams: 0, toGrams: null, amount: '4.90' }];
    const made = await option(context, id, { kind: 'by_weight', weightBrackets: brackets, minDays: 1, maxDays: 2 });
    const change = world.withOthers(updateShippingOption);
    const shippingOptionId = made.id;
    assert.deepEqual(await change(context, { shippingOptionId, weightBrackets: brackets, freeFrom: null }), made);
    const later = await change(context, { shippingOptionId, freeFrom: '50.00', minDays: null, maxDays: null });
    assert.deepEqual([later.version, later.freeFrom?.amount, later.minDays], [2, '50.00', null]);
    assert.deepEqual(faults(await refused(change(context, { shippingOptionId, amount: '1.00' }))), {
      '/amount': 'not_of_kind',
    });
    await archiveShippingOption(context, { shippingOptionId });
    await archiveShippingOption(context, { shippingOptionId });
    assert.equal((await refused(change(context, { shippingOptionId, name: 'x' }))).code, 'archived');
    await archiveShippingZone(context, { shippingZoneId: id });
    assert.equal((await refused(option(context, id, { amount: '1.00' }))).code, 'archived');
    assert.deepEqual(await world.events(context.tenant), [
      'commerce.shipping_zone.created',
      'commerce.shipping_zone.updated',
      'commerce.shipping_option.created',
      'commerce.shipping_option.updated',
      'commerce.shipping_option.archived',
      'commerce.shipping_zone.archived',
    ]);
  });

  test('is changed by owners, admins and merchandisers, and read by every member', async () => {
    const { tenant } = await world.tenant(
      Object.fromEntries(roles.map((role) => [role, role])) as Record<string, Role>,
    );
    const able = await rolesThatMay(roles, async (role) => {
      const context = world.as(tenant, role);
      await listShippingZones(context, all);
      await zone(context, { country: 'DE', region: role.slice(0, 2).toUpperCase() });
    });
    assert.deepEqual(able, ['owner', 'admin', 'merchandiser']);
  });

  test('are named of a location where goods are fetched, unless they or their zone are archived', async () => {
    const context = await world.tenant();
    const locationId = world.locationOf(context.tenant);
    const pickup = { kind: 'pickup', currency: 'EUR', locationId };
    const named = async (id = locationId) => context.require(manageSelling).write(async (tx) => pickupsAt(tx, id));
    const zoneId = await zone(context, { country: 'DE' });
    const open = await option(context, undefined, { ...pickup, name: 'Everybody' });
    await option(context, zoneId, { ...pickup, name: 'Germans', active: false });
    assert.deepEqual([await named(), await named(newId())], [['Everybody', 'Germans'], []]);
    await byDoor(archiveShippingZone)(context, { shippingZoneId: zoneId });
    assert.deepEqual(await named(), ['Everybody']);
    await byDoor(archiveShippingOption)(context, { shippingOptionId: open.id });
    assert.deepEqual(await named(), []);
  });

  test('of another tenant is answered as what there is not', async () => {
    const [mine, theirs] = [await world.tenant(), await world.tenant()];
    const foreign = await zone(theirs, { country: 'DE' });
    const { id } = await option(theirs, foreign, { amount: '1.00' });
    for (const shippingZoneId of [foreign, newId()])
      for (const problem of [
        await refused(option(mine, shippingZoneId, { amount: '1.00' })),
        await refused(updateShippingZone(mine, { shippingZoneId, name: 'x' })),
        await refused(archiveShippingZone(mine, { shippingZoneId })),
      ])
        assert.deepEqual(
          [problem.code, problem.detail],
          ['not_found', 'There is no such shipping zone in this tenant: list the shipping zones for their ids.'],
        );
    for (const shippingOptionId of [id, newId()])
      for (const problem of [
        await refused(world.withOthers(updateShippingOption)(mine, { shippingOptionId, name: 'x' })),
        await refused(archiveShippingOption(mine, { shippingOptionId })),
      ])
        assert.deepEqual(
          [problem.code, problem.detail],
          ['not_found', 'There is no such shipping option in this tenant: list the shipping options for their ids.'],
        );
    assert.equal((await refused(offered(mine))).code, 'country_not_served');
  });
});
