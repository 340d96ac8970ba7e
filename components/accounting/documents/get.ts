import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { document, documentById } from './document.ts';
import { documentId } from './input.ts';
import { unknownDocument } from './kind.ts';

/** @throws Problem `not_found` (404), for another tenant's document too */
export const getDocument = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_get_document',
    input: z.strictObject({ id: documentId }),
    answer: document.answer,
    errors: ['not_found'],
  },
  async (scope, { id }) => {
    const [row] = await scope.read(documentById(scope.context.tenant, id));
    if (row === undefined) throw unknownDocument();
    return document.read(row);
  },
);
