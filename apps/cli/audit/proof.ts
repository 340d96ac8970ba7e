import { writeFile } from 'node:fs/promises';
import { tlogProof, type Proof } from '@steward/archive';
import { isId, Problem } from '@steward/kernel';
import { allTenants } from '@steward/portal';
import { withInstance, type OpenInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';

/** `audit proof --event`: the proof that an event is in a sealed day, to stdout or into a new file. */
export async function proofCommand(
  values: { event: string } & Record<'tenant' | 'format' | 'out', string | undefined>,
  env: CommandEnvironment,
): Promise<number> {
  const { event, tenant, format = 'json', out } = values;
  if (!isId(event)) throw new UsageError('--event is the id of an event.');
  if (tenant !== undefined && !isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  if (format !== 'json' && format !== 'tlog-proof') throw new UsageError('--format is json or tlog-proof.');
  return withInstance(env, async (instance) => {
    const proof = await proofOf(
      instance,
      event,
      tenant === undefined ? await allTenants(instance.ownerUrl()) : [tenant],
    );
    const text = format === 'json' ? `${JSON.stringify(proof)}\n` : tlogProof(proof);
    if (out === undefined) process.stdout.write(text);
    else await writeFile(out, text, { flag: 'wx' });
    return 0;
  });
}

/** From the first of the tenants that has the event. @throws Problem `not_found`, `not_sealed`, `audit_mismatch` */
async function proofOf({ archive, operator }: OpenInstance, event: string, tenants: readonly string[]): Promise<Proof> {
  let absent: unknown;
  for (const tenant of tenants) {
    try {
      return await archive.prove(operator(tenant), event);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      absent = error;
    }
  }
  throw absent ?? new RangeError('There is no tenant yet.');
}
