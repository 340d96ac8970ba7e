import { operation } from '@steward/access';
import { z } from 'zod';
import { agenticFail } from '../errors.ts';
import { byBrand, changes } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { holdKeys } from './create.ts';
import { issueKey } from './issue.ts';
import { signingKey } from './key.ts';

/** The new key, and the one that it takes over from. */
export const rotatedKey = signingKey.answer.extend({ replaces: z.uuid().nullable() });

/**
 * Makes a new key. The brand signs with it from now on, and the one before it is published for a week more.
 * @throws Problem `not_found` (404), `signing_key_missing`, `signing_key_limit` (409), `master_key_missing` (503)
 */
export const rotateSigningKey = operation(
  {
    ...changes,
    name: 'service_rotate_signing_key',
    input: z.strictObject(byBrand),
    answer: rotatedKey,
    errors: ['insufficient_role', 'not_found', 'signing_key_missing', 'signing_key_limit', 'master_key_missing'],
  },
  async (scope, { brandId }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      if (!(await holdKeys(tx, brandId, ports)))
        throw agenticFail('signing_key_missing', 'The brand has none to replace: call service_create_signing_key.');
      return issueKey(tx, brandId, ports);
    }),
);
