import type { Grammar } from './grammar.ts';
import { grammar, toolsGrammar } from './own.ts';

const ofCustomer = { subject: '/customer_id' };

/** The grammars that exist before any component adds to them, and what belongs to the platform as a whole. */
export const foundation: readonly Grammar[] = [
  { name: 'accounting' },
  {
    name: 'commerce',
    events: [
      {
        types: 'commerce.order.imported',
        major: 1,
        open: true,
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title: 'An order of another system was imported',
          type: 'object',
          properties: {
            order_id: { type: 'string', minLength: 1, maxLength: 200 },
            customer_id: { type: 'string', minLength: 1, maxLength: 200, description: 'Opaque: it stays readable.' },
            customer_email: { type: 'string', minLength: 1, maxLength: 320, 'x-personal': ofCustomer },
            customer_name: { type: 'string', minLength: 1, maxLength: 400, 'x-personal': ofCustomer },
          },
          required: ['order_id'],
          dependentRequired: { customer_email: ['customer_id'], customer_name: ['customer_id'] },
        },
      },
    ],
  },
  { name: 'studio' },
  { name: 'crm' },
  { name: 'portal', reserved: ['portal.**'] },
  { name: 'identity', reserved: ['identity.**'] },
  { name: 'approvals', reserved: ['approvals.**'] },
  { name: 'callbacks', reserved: ['callbacks.**'] },
  toolsGrammar,
  grammar,
];
