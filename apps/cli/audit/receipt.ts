import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { checkReceipt, type CheckedReceipt } from '@steward/verification';
import { isId } from '@steward/kernel';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { UsageError } from '../command.ts';
import { oneLine } from '../printable.ts';
import { readKeys } from './keys-given.ts';

/** What cannot be read says nothing about the receipt. */
const couldNotVerify = 3;

interface Wish {
  readonly file: string | undefined;
  readonly tenant: string | undefined;
  readonly key: readonly string[] | undefined;
  readonly json: boolean;
}

/** `audit receipt`: exit 0 genuine and borne out by the chain, 1 with what is wrong, 2 not called rightly, 3 could not be read. */
export async function receiptCommand(wish: Wish, env: CommandEnvironment): Promise<number> {
  try {
    return await check(wish, env);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    console.error(`Could not be verified: ${error instanceof Error ? error.message : String(error)}`);
    return couldNotVerify;
  }
}

async function check({ file = '-', tenant, key, json }: Wish, env: CommandEnvironment): Promise<number> {
  if (tenant !== undefined && !isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  const keys = key === undefined ? undefined : (await Promise.all(key.map(readKeys))).flat();
  const document = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  return withInstance(env, async ({ ownerUrl }) => {
    const checked = await checkReceipt({ ownerUrl: ownerUrl(), document, tenant, keys });
    if (json) console.log(JSON.stringify(checked, null, 2));
    else print(checked);
    return checked.ok ? 0 : 1;
  });
}

function print({ ok, tenant, sequence, receivedAt, keyId, findings, trust }: CheckedReceipt): void {
  for (const finding of findings) console.log(oneLine(finding));
  const named = trust === 'database' ? ', as the database names it: pin one with --key' : '';
  console.log(`tenant ${tenant}, sequence ${sequence}, received ${receivedAt}, key ${keyId}${named}`);
  console.log(ok ? 'Verified: the receipt is genuine, and the chain bears it out.' : 'NOT VERIFIED.');
}
