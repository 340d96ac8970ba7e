import { exportedEvents } from '../exports/grammar.ts';
import { personalEvents } from '../personal/grammar.ts';
import { sealingEvents } from '../sealing/grammar.ts';
import type { Grammar } from './grammar.ts';

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
  {
    name: 'tools',
    reserved: ['tools.**'],
    events: [
      {
        types: 'tools.call.denied',
        major: 1,
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title: 'A member called a tool that is not open to them',
          type: 'object',
          properties: { tool: { type: 'string' }, code: { type: 'string' }, surface: { type: 'string' } },
          required: ['tool', 'code'],
        },
      },
      {
        types: 'tools.calls.denied',
        major: 1,
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title: 'Denied calls of one principal beyond those recorded one by one',
          type: 'object',
          properties: {
            count: { type: 'integer', minimum: 1 },
            since: { type: 'string', format: 'date-time' },
            until: { type: 'string', format: 'date-time' },
          },
          required: ['count', 'since', 'until'],
          additionalProperties: false,
        },
      },
    ],
  },
  {
    name: 'audit',
    reserved: ['audit.**', 'platform.**', 'system.**'],
    events: [
      {
        types: 'audit.chain.opened',
        major: 1,
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title: "The tenant's chain begins",
          type: 'object',
          properties: { genesis: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
          required: ['genesis'],
          additionalProperties: false,
        },
      },
      ...exportedEvents,
      ...personalEvents,
      ...sealingEvents,
    ],
  },
];
