import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import type { CheckoutDeps } from '../deps.ts';
import { archiveShippingOption } from './archive-option.ts';
import { archiveShippingZone } from './archive-zone.ts';
import { createShippingOption } from './create-option.ts';
import { createShippingZone } from './create-zone.ts';
import { listShippingOptions } from './list-options.ts';
import { listShippingZones } from './list-zones.ts';
import { shippingOption, type ShippingOption } from './option.ts';
import { quoteShipping } from './quote.ts';
import { updateShippingOption } from './update-option.ts';
import { updateShippingZone } from './update-zone.ts';
import { shippingZone, type ShippingZone } from './zone.ts';

const zone = under('shippingZone', shippingZone.answer);
const option = under('shippingOption', shippingOption.answer);
const where = ({ name, places }: ShippingZone): string =>
  `${name} (${counted(new Set(places.map(({ country }) => country)).size, 'country', 'countries')})`;
const called = ({ name, kind, currency, amount, active }: ShippingOption): string =>
  `${name}, ${amount === null ? kind.replace('_', ' ') : `${amount.amount} ${currency}`}${active ? '' : ', not offered'}`;
const unnamed = <T extends { readonly id: string; readonly createdAt: string; readonly updatedAt: string }>({
  id: _id,
  createdAt: _made,
  updatedAt: _at,
  ...rest
}: T) => rest;
const adding = { core: false, annotations: { destructiveHint: false } } as const;
const changing = { core: false, annotations: { destructiveHint: false, idempotentHint: true } } as const;

export const shippingTools: readonly Tool<CheckoutDeps>[] = [
  toolOf(createShippingZone, {
    ...adding,
    title: 'Add a shipping zone',
    description:
      'Adds a shipping zone: countries, regions or postcodes to which the shop ships on the same terms. Next: ' +
      'service_create_shipping_option. Addresses without a zone are not served.',
    shows: zone,
    preview: (made) => ({ shipping_zone: unnamed(made) }),
    say: (made, preview) => `${preview ? 'Would add' : 'Added'} ${where(made)}.`,
  }),
  toolOf(updateShippingZone, {
    rare: true,
    ...changing,
    title: 'Change a shipping zone',
    description: 'Changes the name or the places of a shipping zone. `places` replaces the whole list.',
    shows: zone,
    say: (changed, preview) =>
      preview ? `Would change the shipping zone to ${where(changed)}.` : `${where(changed)} is in use.`,
  }),
  toolOf(archiveShippingZone, {
    rare: true,
    ...changing,
    title: 'Archive a shipping zone',
    description: 'Takes a shipping zone out of use, with its options: the shop ships there no more.',
    shows: zone,
    say: (archived, preview) => (preview ? `Would archive ${where(archived)}.` : `${where(archived)} is archived.`),
  }),
  toolOf(listShippingZones, {
    core: false,
    title: 'List shipping zones',
    description: 'Lists shipping zones with their places, in the order in which they were added.',
    answers: { items: 'shippingZones' },
    say: ({ items }) => `${counted(items.length, 'shipping zone')}.`,
  }),
  toolOf(createShippingOption, {
    ...adding,
    title: 'Add a shipping option',
    description:
      'Adds a way of shipping to a zone: at a flat price, by weight, by price, or as a pickup at a location. Prices are as ' +
      'buyers see them: with tax, unless the tax settings say otherwise for the currency.',
    shows: option,
    preview: (made) => ({ shipping_option: unnamed(made) }),
    say: (made, preview) => `${preview ? 'Would add' : 'Added'} ${called(made)}.`,
  }),
  toolOf(updateShippingOption, {
    ...changing,
    title: 'Change a shipping option',
    description:
      'Changes only the given members of a shipping option. Zone, kind and currency never change: add another option.',
    shows: option,
    say: (changed, preview) =>
      preview ? `Would change the shipping option to ${called(changed)}.` : `${called(changed)}.`,
  }),
  toolOf(archiveShippingOption, {
    final: true,
    rare: true,
    ...changing,
    title: 'Archive a shipping option',
    description: 'Takes a shipping option out of use for good. To hide it for a while, change `active`.',
    shows: option,
    say: (archived, preview) => (preview ? `Would archive ${called(archived)}.` : `${called(archived)}, is archived.`),
  }),
  toolOf(listShippingOptions, {
    core: false,
    title: 'List shipping options',
    description: 'Lists shipping options of all zones, also those that are not offered.',
    answers: { items: 'shippingOptions' },
    say: ({ items }) => `${counted(items.length, 'shipping option')}.`,
  }),
  toolOf(quoteShipping, {
    core: false,
    title: 'Quote shipping',
    description:
      'Shows which ways of shipping a buyer at an address is offered and what they cost, to check zones and options. ' +
      '`country_not_served`: no zone has the address. `no_shipping_option`: no option takes the weight, price or currency.',
    say: ({ options }) =>
      `${options.map(({ name, amount }) => `${name}: ${amount.amount} ${amount.currency}`).join('; ')}.`,
  }),
];
