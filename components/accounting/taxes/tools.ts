import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { archiveTax, type TaxPorts } from './archive.ts';
import { createTax } from './create.ts';
import { listTaxes } from './list.ts';
import { tax, type Tax } from './tax.ts';

const common = { core: false, annotations: { destructiveHint: false }, shows: under('taxRate', tax.answer) } as const;
const called = ({ name, percentage }: Tax): string => `${name}, ${percentage} %`;

export const taxTools: readonly Tool<TaxPorts>[] = [
  toolOf(createTax, {
    ...common,
    title: 'Add a tax rate',
    description:
      'Adds a tax rate for lines of documents. A percentage never changes: add another rate and archive the old one.',
    say: (added, preview) => (preview ? `Would add ${called(added)}.` : `${called(added)}, is in use.`),
  }),
  toolOf(archiveTax, {
    ...common,
    title: 'Archive a tax rate',
    description:
      'Archives a tax rate, so that new documents cannot use it. Existing documents keep it. One that a tax zone of the shop asks for is refused.',
    say: (archived, preview) => (preview ? `Would archive ${called(archived)}.` : `${called(archived)}, is archived.`),
  }),
  toolOf(listTaxes, {
    core: false,
    title: 'List tax rates',
    description: 'Lists tax rates by name.',
    shows: under('taxRates', listTaxes.answer),
    say: (found) => `${counted(found.length, 'tax rate')}.`,
  }),
];
