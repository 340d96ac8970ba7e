import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { branding } from '../operations.ts';
import { brand, brandName } from './brand.ts';

export const createBrand = operation(
  { ...branding, input: z.strictObject({ name: brandName }), answer: brand.answer },
  async (scope, { name }) =>
    scope.write(async (tx) => {
      const [row = {}] = await tx.query(
        statement(
          `insert into portal.brand as b (tenant_id, brand_id, name) values ($1::uuid, $2::uuid, $3) returning ${brand.columns}`,
          [tx.context.tenant, newId(), name],
        ),
      );
      const made = brand.read(row);
      tx.record(event('portal.brand.created', { brand_id: made.id }));
      return made;
    }),
);
