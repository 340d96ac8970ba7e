import { operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { people, reads } from '../operations.ts';
import { organization } from './organization.ts';

const selected = statement(`select ${organization.columns} from portal.tenant t`);

export const readOrganization = operation(
  { ...reads, ...people, input: z.strictObject({}), answer: organization.answer },
  async (scope) => organization.read((await scope.read(selected))[0] ?? {}),
);
