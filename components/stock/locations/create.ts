import { operation } from '@steward/access';
import { z } from 'zod';
import { changes } from '../operations.ts';
import { given, location, makeLocation } from './location.ts';

/** @throws Problem `location_limit`, `location_code_taken` (409) */
export const createLocation = operation(
  {
    ...changes,
    name: 'service_create_location',
    input: z.strictObject(given),
    answer: location.answer,
    errors: { location_code_taken: 'code', location_limit: null, insufficient_role: null },
  },
  async (scope, one) => scope.write(async (tx) => makeLocation(tx, one)),
);
