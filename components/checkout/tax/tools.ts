import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { archiveTaxZone } from './archive-zone.ts';
import { createTaxZones } from './create-zones.ts';
import { listTaxZones } from './list-zones.ts';
import { changeTaxSettings, getTaxSettings, type TaxSettings } from './settings.ts';
import { updateTaxZone } from './update-zone.ts';
import { taxZone, type TaxZone } from './zone.ts';

const shows = under('taxZone', taxZone.answer);
const called = ({ name, rates }: TaxZone): string =>
  `${name} (${rates.map(({ category, taxId, percentage }) => `${category} ${taxId === null ? 'exempt' : `${percentage} %`}`).join(', ')})`;
const said = ({ country, pricesWithoutTax, reverseCharge }: TaxSettings): string =>
  `${pricesWithoutTax.length === 0 ? 'All prices contain tax' : `Prices in ${pricesWithoutTax.join(', ')} are without tax, all others contain it`}; ` +
  (country === null || !reverseCharge
    ? 'nothing is sold by reverse charge.'
    : `the business sells from ${country}, and by reverse charge.`);

export const taxTools: readonly Tool[] = [
  toolOf(createTaxZones, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Add tax zones',
    description:
      'Adds tax zones: where which tax rate of the books is asked for. A zone is a country, a region of it, or postcodes; ' +
      'the most specific zone of an address counts, and an address without a zone pays no tax. Add rates with ' +
      'service_create_tax_rate first.',
    answers: { items: 'taxZones' },
    preview: ({ items }) => ({
      tax_zones: items.map(({ id: _id, createdAt: _made, updatedAt: _at, ...rest }) => rest),
    }),
    say: ({ items }, preview) =>
      `${preview ? 'Would add' : 'Added'} ${counted(items.length, 'tax zone')}: ${items.slice(0, 5).map(called).join('; ')}.`,
  }),
  toolOf(updateTaxZone, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change a tax zone',
    description: 'Changes only the given members of a tax zone. Orders keep the tax that they were charged.',
    shows,
    say: (changed, preview) =>
      preview ? `Would change the tax zone to ${called(changed)}.` : `${called(changed)} is in use.`,
  }),
  toolOf(archiveTaxZone, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Archive a tax zone',
    description:
      'Takes a tax zone out of use. Its addresses belong to the next wider zone, or pay no tax where there is none.',
    shows,
    say: (archived, preview) => (preview ? `Would archive ${called(archived)}.` : `${called(archived)} is archived.`),
  }),
  toolOf(listTaxZones, {
    core: false,
    title: 'List tax zones',
    description: 'Lists tax zones with the tax rates of their categories, in the order in which they were added.',
    answers: { items: 'taxZones' },
    say: ({ items }) => `${counted(items.length, 'tax zone')}.`,
  }),
  toolOf(getTaxSettings, {
    rare: true,
    core: false,
    title: 'Read the tax settings',
    description:
      'Reads in which currencies prices are without tax, from which country the business sells, and whether businesses of ' +
      'other countries of the European Union are charged no tax.',
    say: said,
  }),
  toolOf(changeTaxSettings, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change the tax settings',
    description:
      'Changes only the given members of the tax settings. Whether prices contain tax changes what buyers pay: check the ' +
      'prices of the catalogue first.',
    say: (changed, preview) => (preview ? `Would change the tax settings: ${said(changed)}` : said(changed)),
  }),
];
