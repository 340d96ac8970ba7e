import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { CatalogueDeps } from '../deps.ts';
import { archiveCollection } from './archive.ts';
import { createCollection } from './create.ts';
import { getCollection } from './get.ts';
import { listCollections } from './list.ts';
import { updateCollection } from './update.ts';

const one = { 200: 'The collection.' };

export function collectionRoutes(guard: Guard<Admitted>, ports: CatalogueDeps): Route[] {
  const rest = restOf({ guard, tag: 'Collections', ports });
  return [
    rest('GET', '/api/collections', listCollections, {
      summary: 'List collections, newest first',
      answers: { 200: 'A page of collections.' },
    }),
    rest('POST', '/api/collections', createCollection, {
      summary: 'Add a collection',
      description:
        'With `productIds` its products are chosen by hand and have that order. With `rules` it has the products that meet them at any ' +
        'time, the newest first.',
      answers: { 201: 'The collection.' },
    }),
    rest('GET', '/api/collections/:collectionId', getCollection, {
      summary: 'Read a collection with its rules or products',
      answers: one,
    }),
    rest('PATCH', '/api/collections/:collectionId', updateCollection, {
      summary: 'Change a collection',
      description: 'Members that are not given stay as they are.',
      answers: one,
    }),
    rest('POST', '/api/collections/:collectionId/archive', archiveCollection, {
      summary: 'Archive a collection',
      answers: one,
    }),
  ];
}
