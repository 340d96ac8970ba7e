import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roles, type Role } from '@steward/access';
import { archiveTax } from '@steward/accounting';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { TenantCall } from '@steward/tools';
import { byDoor, createWorld, faults, refused, rolesThatMay, type World } from '../fixtures/world.ts';
import { manageTax, readSelling } from '../permissions.ts';
import { archiveTaxZone } from './archive-zone.ts';
import { taxCategories, zonesTaxedBy } from './zones-with.ts';
import { createTaxZones } from './create-zones.ts';
import { type TaxQuestion, zoneEngine } from './engine.ts';
import { listTaxZones } from './list-zones.ts';
import { changeTaxSettings, getTaxSettings } from './settings.ts';
import { taxTools } from './tools.ts';
import { updateTaxZone } from './update-zone.ts';

describe('tax zones', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** Germany at 19 and 7 %, and France at 20 %. */
  const europe = async () => {
    const context = await world.tenant();
    const [full, reduced, french] = await Promise.all(['19', '7', '20'].map(async (one) => world.tax(context, one)));
    const { items } = await byDoor(createTaxZones)(context, {
      zones: [
        {
          name: 'Germany',
          country: 'DE',
          rates: [
            { category: 'standard', taxId: full },
            { category: 'reduced', taxId: reduced },
            { category: 'stamps', taxId: null },
          ],
        },
        { name: 'France', country: 'FR', rates: [{ category: 'standard', taxId: french }] },
      ],
    });
    return { context, items, full: full ?? '', reduced: reduced ?? '' };
  };
  const asked = async (context: TenantContext, question: Partial<TaxQuestion>) => {
    const whole = {
      currency: 'EUR',
      lines: [{ id: 'a', category: 'standard' }],
      address: { country: 'DE' },
      buyer: {},
      ...question,
    };
    const scope = world.system(context.tenant).require(readSelling);
    return zoneEngine.taxesBy(await scope.readAll(zoneEngine.reads(context.tenant, whole.address)), whole);
  };
  const one = async (context: TenantContext, question: Partial<TaxQuestion>) => {
    const tax = (await asked(context, question)).taxes.get('a');
    return [tax?.treatment, Number(tax?.percentage) / 10_000];
  };

  test('tell the tax of the books by category, of the standard one where a category is not listed', async () => {
    const { context, full } = await europe();
    const { pricing, taxes } = await asked(context, {
      lines: ['standard', 'reduced', 'stamps', 'unheard'].map((category) => ({ id: category, category })),
    });
    assert.equal(pricing, 'inclusive');
    assert.deepEqual(taxes.get('standard'), { treatment: 'taxed', taxId: full, percentage: 190_000n });
    assert.deepEqual(
      [...taxes.values()].map(({ treatment, percentage }) => [treatment, percentage]),
      [
        ['taxed', 190_000n],
        ['taxed', 70_000n],
        ['exempt', 0n],
        ['taxed', 190_000n],
      ],
    );
    assert.deepEqual(await one(context, { address: { country: 'JP' } }), ['none', 0], 'no zone is there');
  });

  test('give way to a more specific one, and take its addresses back when that is archived', async () => {
    const { context, reduced } = await europe();
    const address = { country: 'DE', postcode: '27498' };
    const { items } = await byDoor(createTaxZones)(context, {
      zones: [
        { name: 'Helgoland', country: 'DE', postcodes: ['27498'], rates: [{ category: 'standard', taxId: null }] },
        { name: 'The north', country: 'DE', postcodes: ['2*'], rates: [{ category: 'standard', taxId: reduced }] },
      ],
    });
    assert.deepEqual(await one(context, { address }), ['exempt', 0]);
    assert.deepEqual(await one(context, { address: { country: 'DE', postcode: '20095' } }), ['taxed', 7]);
    for (const { id } of items) await archiveTaxZone(context, { taxZoneId: id });
    assert.deepEqual(await one(context, { address }), ['taxed', 19]);
  });

  test('show percentages in one form, and say in a sentence that they are archived', async () => {
    const { context, items } = await europe();
    const [germany] = items;
    assert.deepEqual(
      germany?.rates.map(({ percentage }) => percentage),
      ['7', '0', '19'],
    );
    const tool = taxTools.find(({ name }) => name === 'service_archive_tax_zone');
    const call = { context, preview: false } as unknown as TenantCall;
    const told = await tool?.run(call, { taxZoneId: germany?.id }, undefined);
    assert.ok(told !== undefined && 'summary' in told);
    assert.equal(told.summary, 'Germany (reduced 7 %, stamps exempt, standard 19 %) is archived.');
  });

  test('ask no tax of a business of another country of the Union, and of nobody whose number is not right', async () => {
    const { context } = await europe();
    const french = { address: { country: 'FR' }, buyer: { vatNumber: 'FR 40 303 265 045' } };
    assert.deepEqual(await one(context, french), ['taxed', 20], 'the shop does not say where it sells from');
    await byDoor(changeTaxSettings)(context, { country: 'DE' });
    assert.deepEqual(await one(context, french), ['reverse_charge', 20]);
    for (const [address, vatNumber] of [
      ['DE', 'FR40303265045'],
      ['FR', 'DE129273398'],
      ['FR', 'FR1'],
      ['FR', `FR${'4'.repeat(1_000)}`],
      ['FR', 'GB123456789'],
    ] as const)
      assert.equal(
        (await one(context, { address: { country: address }, buyer: { vatNumber } }))[0],
        'taxed',
        vatNumber,
      );
    for (const [vatNumber, unread] of [
      ['FR1', true],
      ['GB123456789', true],
      ['FR40303265045', false],
      ['DE129273398', false],
      [null, false],
    ] as const)
      assert.equal(
        (await asked(context, { ...french, buyer: { vatNumber } })).vatNumberUnread,
        unread,
        String(vatNumber),
      );
    assert.equal(
      (await asked(context, { address: { country: 'DE' }, buyer: { vatNumber: 'FR1' } })).vatNumberUnread,
      false,
    );
    assert.equal((await one(context, { buyer: { exempt: true } }))[0], 'exempt');
    await byDoor(changeTaxSettings)(context, { reverseCharge: false });
    assert.equal((await one(context, french))[0], 'taxed');
  });

  test('ask for tax on top of prices in currencies that are said to be without it', async () => {
    const { context } = await europe();
    assert.deepEqual(await getTaxSettings(context, {}), {
      country: null,
      pricesWithoutTax: ['CAD', 'USD'],
      reverseCharge: true,
      version: 1,
    });
    const { pricesWithoutTax, version } = await byDoor(changeTaxSettings)(context, {
      pricesWithoutTax: ['USD', 'EUR', 'EUR'],
    });
    assert.deepEqual([pricesWithoutTax, version], [['EUR', 'USD'], 2]);
    assert.equal((await asked(context, {})).pricing, 'exclusive');
    assert.equal((await byDoor(changeTaxSettings)(context, { pricesWithoutTax: ['EUR', 'USD'] })).version, 2);
    assert.deepEqual(
      faults(await refused(byDoor(changeTaxSettings)(context, { country: 'XX', pricesWithoutTax: ['EUX'] }))),
      {
        '/country': 'invalid_value',
        '/pricesWithoutTax/0': 'invalid_value',
      },
    );
  });

  test('are refused with a pointer to each fault, and none of many is added', async () => {
    const { context, full } = await europe();
    const stranger = await world.tenant();
    const foreign = await world.tax(stranger, '19');
    const standard = [{ category: 'standard', taxId: full }];
    for (const [zone, expected] of [
      [{ rates: [{ category: 'reduced', taxId: full }] }, { '/zones/1/rates': 'standard_missing' }],
      [{ rates: [...standard, ...standard] }, { '/zones/1/rates/1/category': 'repeated' }],
      [{ rates: [{ category: 'standard', taxId: foreign }] }, { '/zones/1/rates/0/taxId': 'unknown_tax' }],
      [{ rates: [{ category: 'standard', taxId: newId() }] }, { '/zones/1/rates/0/taxId': 'unknown_tax' }],
      [{ rates: [{ category: 'Standard', taxId: full }] }, { '/zones/1/rates/0/category': 'invalid_format' }],
      [
        { rates: standard, postcodes: ['2-1', '99-11', '35000-3'] },
        Object.fromEntries([0, 1, 2].map((index) => [`/zones/1/postcodes/${index}`, 'invalid_value'])),
      ],
      [{ rates: standard, postcodes: ['<b>'] }, { '/zones/1/postcodes/0': 'invalid_format' }],
      [{ rates: standard, country: 'UK' }, { '/zones/1/country': 'invalid_value' }],
      [{ rates: standard, colour: 'red' }, { '/zones/1/colour': 'unknown_field' }],
      [{ rates: standard, name: 'a\nb' }, { '/zones/1/name': 'invalid_format' }],
    ] as const) {
      const zones = [
        { name: 'Austria', country: 'AT', rates: standard },
        { name: 'Italy', country: 'IT', ...zone },
      ];
      const problem = await refused(byDoor(createTaxZones)(context, { zones }));
      assert.deepEqual([problem.status, faults(problem)], [400, expected]);
    }
    assert.equal((await listTaxZones(context, { limit: 50, archived: true })).items.length, 2);
  });

  test('have a place each, and keep names as they are written', async () => {
    const { context, items, full } = await europe();
    const standard = [{ category: 'standard', taxId: full }];
    const again = { zones: [{ name: 'Once more', country: 'DE', rates: standard }] };
    const problem = await refused(byDoor(createTaxZones)(context, again));
    assert.deepEqual([problem.code, faults(problem)], ['tax_zone_taken', { '/zones/0': 'tax_zone_taken' }]);
    const [germany, france] = items;
    const moved = await refused(byDoor(updateTaxZone)(context, { taxZoneId: france?.id, country: 'DE' }));
    assert.equal(moved.code, 'tax_zone_taken');
    await archiveTaxZone(context, { taxZoneId: germany?.id ?? '' });
    await byDoor(createTaxZones)(context, again);
    const renamed = await byDoor(updateTaxZone)(context, { taxZoneId: france?.id, name: '<b>France</b>' });
    assert.equal(renamed.name, '<b>France</b>');
    const archived = await refused(byDoor(updateTaxZone)(context, { taxZoneId: germany?.id, name: 'x' }));
    assert.equal(archived.code, 'archived');
  });

  test('change by what is given, count it and tell the log no more than ids and names of members', async () => {
    const { context, items, reduced, full } = await europe();
    const taxZoneId = items[0]?.id ?? '';
    const rates = [
      { category: 'stamps', taxId: null },
      { category: 'standard', taxId: full },
      { category: 'reduced', taxId: reduced },
    ];
    assert.equal(
      (await byDoor(updateTaxZone)(context, { taxZoneId, rates, name: 'Germany ' })).version,
      1,
      'as it was',
    );
    const inUse = await refused(archiveTax(context, { taxId: reduced }, { zonesTaxedBy }));
    assert.deepEqual([inUse.code, inUse.detail.includes('Germany')], ['tax_in_use', true]);
    // As books were before zones held their taxes.
    await archiveTax(context, { taxId: reduced }, { zonesTaxedBy: async () => [] });
    assert.equal((await byDoor(updateTaxZone)(context, { taxZoneId, rates, region: 'BY' })).version, 2, 'a rate stays');
    const other = await refused(byDoor(updateTaxZone)(context, { taxZoneId: items[1]?.id, rates }));
    assert.deepEqual(faults(other), { '/rates/2/taxId': 'unknown_tax' }, 'and an archived one is not taken anew');
    assert.deepEqual(await world.events(context.tenant), [
      'commerce.tax_zone.created',
      'commerce.tax_zone.created',
      'commerce.tax_zone.updated',
    ]);
  });

  test('hold their taxes: of one that is archived while a zone takes it, either is refused', async () => {
    for (let round = 0; round < 6; round += 1) {
      const context = await world.tenant();
      const taxId = await world.tax(context, '19');
      const rates = [{ category: 'standard', taxId }];
      const made = await Promise.allSettled([
        byDoor(createTaxZones)(context, { zones: [{ name: 'Germany', country: 'DE', rates }] }),
        archiveTax(context, { taxId }, { zonesTaxedBy }),
      ]);
      assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    }
  });

  test('tell the categories that they list, until they are archived', async () => {
    const { context, items } = await europe();
    const listed = async () =>
      [...(await context.require(manageTax).write(async (tx) => taxCategories(tx)))].toSorted();
    assert.deepEqual(await listed(), ['reduced', 'stamps', 'standard']);
    for (const { id } of items) await byDoor(archiveTaxZone)(context, { taxZoneId: id });
    assert.deepEqual(await listed(), []);
  });

  test('are changed by owners, admins and accountants, and read by every member', async () => {
    const { tenant } = await world.tenant(
      Object.fromEntries(roles.map((role) => [role, role])) as Record<string, Role>,
    );
    const full = await world.tax(world.as(tenant, 'owner'), '19');
    const able = await rolesThatMay(roles, async (role) => {
      const context = world.as(tenant, role);
      await listTaxZones(context, { limit: 1, archived: false });
      await byDoor(createTaxZones)(context, {
        zones: [
          {
            name: role,
            country: 'DE',
            region: role.slice(0, 2).toUpperCase(),
            rates: [{ category: 'standard', taxId: full }],
          },
        ],
      });
    });
    assert.deepEqual(able, ['owner', 'admin', 'accountant']);
  });

  test('of another tenant are answered as those that there are not', async () => {
    const { context, items } = await europe();
    const theirs = await world.tenant();
    for (const taxZoneId of [items[0]?.id ?? '', newId()]) {
      for (const problem of [
        await refused(updateTaxZone(theirs, { taxZoneId, name: 'Mine' })),
        await refused(archiveTaxZone(theirs, { taxZoneId })),
      ])
        assert.deepEqual(
          [problem.code, problem.detail],
          ['not_found', 'There is no such tax zone in this tenant: list the tax zones for their ids.'],
        );
    }
    assert.equal((await listTaxZones(context, { limit: 50, archived: false })).items.length, 2);
    assert.deepEqual((await listTaxZones(theirs, { limit: 50, archived: false })).items, []);
  });
});
