import { field, nullable, oneOf, shape, text } from '@steward/contract';
import { z } from 'zod';
import { accountTypes } from '../books/template.ts';

/** Of `accounting.account` named `a`. */
export const account = shape('a', {
  id: field(z.uuid().meta({ description: 'UUID of the account.' }), 'a.account_id'),
  code: text(),
  name: text(),
  type: oneOf(accountTypes),
  /** What the platform itself posts to here, such as `receivable`. */
  control: nullable(text()),
  currency: text(),
});
