import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import type { StockPorts } from '../ports.ts';
import { createLocation } from './create.ts';
import { listLocations } from './list.ts';
import { location, type Location } from './location.ts';
import { updateLocation } from './update.ts';

const said = ({ name, code, archivedAt }: Location): string =>
  `${name} (${code}) is ${archivedAt === null ? 'in use' : 'archived'}.`;
const shows = under('location', location.answer);

export const locationTools: readonly Tool<StockPorts>[] = [
  toolOf(listLocations, {
    core: false,
    title: 'List locations',
    description: 'Lists the places where stock lies, including archived ones.',
    answers: { items: 'locations' },
    say: ({ items }) => `${counted(items.length, 'location')}.`,
  }),
  toolOf(createLocation, {
    rare: true,
    core: false,
    title: 'Create a location',
    description:
      'Creates a place where stock lies, such as a warehouse or a shop. A tenant with one place needs none: `Main` is made ' +
      'when stock is first set.',
    shows,
    // A preview's id would name nothing afterwards.
    preview: ({ id: _id, createdAt: _created, updatedAt: _updated, ...rest }) => ({ location: rest }),
    say: (made, preview) => (preview ? `Would create the location ${made.name}.` : said(made)),
  }),
  toolOf(updateLocation, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change or archive a location',
    description:
      'Changes only the given members of a location. `archived: true` takes an empty location that no pickup names out of use; false brings it ' +
      'back.',
    shows,
    say: (changed, preview) => (preview ? `Would change the location: ${said(changed)}` : said(changed)),
  }),
];
