import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { payment, paymentById, unknownPayment } from './payment.ts';

/** @throws Problem `not_found` (404), for another tenant's payment too */
export const getPayment = operation(
  {
    ...reads,
    area: 'sales',
    name: 'service_list_payments',
    input: z.strictObject({ id: z.uuid() }),
    answer: payment.answer,
    errors: ['not_found'],
  },
  async (scope, { id }) => {
    const [row] = await scope.read(paymentById(scope.context.tenant, id));
    if (row === undefined) throw unknownPayment();
    return payment.read(row);
  },
);
