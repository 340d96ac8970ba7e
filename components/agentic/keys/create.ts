import { asItWas, operation } from '@steward/access';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { noBrand } from '../doors/get.ts';
import { byBrand, changes } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { issueKey } from './issue.ts';
import { selectKeys, signingKey, signsNow } from './key.ts';

/** Keys of one brand are made one after the other. */
export async function holdKeys(tx: TenantTransaction, brandId: string, ports: AgenticPorts): Promise<boolean> {
  if ((await ports.brandIn(tx, brandId)) === undefined) throw noBrand();
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`agentic.signing_key ${tx.context.tenant} ${brandId}`}, 0))`,
  );
  return signsNow(tx, brandId);
}

/** Makes the first key of a brand; one that has a key keeps it. @throws Problem `not_found` (404), `signing_key_limit` (409), `master_key_missing` (503) */
export const createSigningKey = operation(
  {
    ...changes,
    name: 'service_create_signing_key',
    input: z.strictObject(byBrand),
    answer: signingKey.answer,
    errors: ['insufficient_role', 'not_found', 'signing_key_limit', 'master_key_missing'],
  },
  async (scope, { brandId }, ports: AgenticPorts) =>
    scope.write(async (tx) => {
      if (!(await holdKeys(tx, brandId, ports))) {
        const { replaces: _none, ...made } = await issueKey(tx, brandId, ports);
        return made;
      }
      const [row] = await tx.query(
        selectKeys(
          'k.brand_id = $2::uuid and k.retires_at is null and k.revoked_at is null order by k.created_at desc limit 1',
          tx.context.tenant,
          brandId,
        ),
      );
      return asItWas(signingKey.read(row ?? {}));
    }),
);
