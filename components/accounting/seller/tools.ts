import { toolOf, type Tool } from '@steward/tools';
import { getSeller } from './get.ts';
import type { Seller } from './seller.ts';
import { updateSeller } from './update.ts';

const said = ({ name, address, vatNumber, registration, paymentDetails, language }: Seller): string =>
  `Invoices show ${
    [
      name,
      address?.replaceAll('\n', ', '),
      vatNumber === null ? null : `VAT no. ${vatNumber}`,
      registration,
      paymentDetails === null ? null : `pay to ${paymentDetails.replaceAll('\n', ', ')}`,
    ]
      .filter((part) => part !== null && part !== undefined)
      .join('; ') || 'the name of the organization alone'
  }, in the language ${language}.`;

export const sellerTools: readonly Tool[] = [
  toolOf(getSeller, {
    rare: true,
    core: false,
    title: 'Read the seller’s details',
    description:
      'Reads who sells, as invoices show it: name (the organization’s where it is null), address, VAT number, registration, where buyers pay to, and the language of invoices.',
    say: said,
  }),
  toolOf(updateSeller, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change the seller’s details',
    description:
      'Changes only the given members of who sells, as invoices show it. Issued documents keep what they were issued with.',
    say: (changed, preview) => (preview ? `Would change the seller: ${said(changed)}` : said(changed)),
  }),
];
