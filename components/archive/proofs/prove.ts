import { timestamp } from '@steward/kernel';
import { sql, type TenantContext, type TenantScope } from '@steward/sql';
import { fail } from '../errors.ts';
import { MerkleTree } from '../format/merkle.ts';
import { mismatched, readPlaced } from './placed.ts';
import type { Proof } from './proof.ts';
import { readSignedCheckpoint, type SealedDay, type SealedDayPorts } from './sealed-day.ts';

/**
 * A proof that an event is in a sealed day, which anybody checks with our public key alone. It answers nothing
 * that contradicts the signed checkpoint.
 * @throws Problem `not_found` (404), `not_sealed`, `audit_mismatch` (409), `tenant_forbidden` (403)
 */
export type Prove = (context: TenantContext, id: string) => Promise<Proof>;

/** Row hashes read at once: 512 KiB, hashed while the next are on their way. */
const pageSize = 16_384;

export function prover(ports: SealedDayPorts): Prove {
  return async (context, id) => {
    const { placed, day, sealed, scope } = await readPlaced(ports, context, id);
    if (sealed === undefined) throw notSealed(day);
    const { tenant } = placed;
    const mismatch = (what: string): Error => mismatched(ports, placed, what);
    if (sealed === 'lost') throw mismatch('The record of the sealed day is gone');
    const index = placed.sequence - Number(sealed.first_sequence);
    const size = Number(sealed.last_sequence - sealed.first_sequence) + 1;
    if (index < 0 || index >= size) throw mismatch(`Sequence ${placed.sequence} is none of the day`);
    const tree = await treeOf(scope, tenant, sealed, index);
    const told = await readSignedCheckpoint(ports, sealed.checkpoint);
    if (told === undefined) throw mismatch('The checkpoint that is recorded is none that a key of this log signed');
    if (told.owner !== tenant || told.day !== day) throw mismatch('The checkpoint is of another tenant or day');
    if (tree.size !== size || told.count !== size) throw mismatch(`There are ${tree.size} rows of ${told.count}`);
    if (tree.root().toString('hex') !== told.root) throw mismatch('The rows have another root');
    return {
      format: 'steward-audit-proof/1',
      ...placed,
      day,
      leafIndex: index,
      treeSize: size,
      path: tree.path().map((hash) => hash.toString('hex')),
      checkpoint: sealed.checkpoint,
      keys: (await ports.keys.registered()).map(({ note }) => note),
    };
  };
}

async function treeOf(scope: TenantScope, tenant: string, sealed: SealedDay, index: number): Promise<MerkleTree> {
  const tree = new MerkleTree(index);
  const page = async (from: bigint): Promise<Buffer> => {
    const to = from + BigInt(pageSize) - 1n;
    const [row] = await scope.read<{ hashes: Buffer | null }>(sql`
      select string_agg(row_hash, ''::bytea order by sequence) as hashes from audit.event
      where tenant_id = ${tenant} and sequence >= ${from} and sequence <= ${to < sealed.last_sequence ? to : sealed.last_sequence}`);
    return row?.hashes ?? Buffer.alloc(0);
  };
  let next = page(sealed.first_sequence);
  for (let from = sealed.first_sequence; from <= sealed.last_sequence; from += BigInt(pageSize)) {
    const hashes = await next;
    if (from + BigInt(pageSize) <= sealed.last_sequence) next = page(from + BigInt(pageSize));
    for (let at = 0; at < hashes.length; at += 32) tree.add(hashes.subarray(at, at + 32));
  }
  return tree;
}

function notSealed(day: string): Error {
  const over = timestamp(Date.parse(day) + 86_400_000);
  return fail(
    'not_sealed',
    `The day ${day} is not sealed yet. A day is sealed once it is over, from ${over} on; ask again then, and for a receipt until then.`,
  );
}
