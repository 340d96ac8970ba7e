import { fail as refuse, isId, type Log, timestamp } from '@steward/kernel';
import { type Row, sql, statement, type TenantContext, type TenantScope } from '@steward/sql';
import { readCheckpoint } from '../archive/checkpoint.ts';
import { MerkleTree } from '../archive/merkle.ts';
import { eventHash } from '../chain/event-hash.ts';
import { genesis } from '../chain/genesis.ts';
import { rowHash } from '../chain/row-hash.ts';
import { fail } from '../errors.ts';
import { columns, type EventRow, withPrevious } from '../events/row.ts';
import { readEvents } from '../policy.ts';
import type { Proof } from './proof.ts';

/**
 * That an event stands in a sealed day, in a form that anybody checks with our public key alone. Nothing is answered
 * that the signed checkpoint does not bear out.
 * @throws Problem `not_found` (404), `not_sealed`, `audit_mismatch` (409), `tenant_forbidden` (403)
 */
export type Prove = (context: TenantContext, id: string) => Promise<Proof>;

/** Row hashes read at once: 512 KiB, hashed while the next are on their way. */
const pageSize = 16_384;

interface SealedDay extends Row {
  readonly first_sequence: bigint;
  readonly last_sequence: bigint;
  readonly checkpoint: string;
}

export function prover(log: Log): Prove {
  return async (context, id) => {
    const { tenant } = context;
    const scope = context.require(readEvents);
    const one = withPrevious(`select ${columns} from audit.event where tenant_id = $1 and id = $2 limit 1`);
    const [[row], [sealed]] = (await scope.readAll([
      statement(one, [tenant, isId(id) ? id : null]),
      sql`select d.first_sequence, d.last_sequence, d.checkpoint from audit.sealed_day d
        where d.tenant_id = ${tenant} and d.day = (
          select (e.received_at at time zone 'UTC')::date from audit.event e
          where e.tenant_id = ${tenant} and e.id = ${isId(id) ? id : null})`,
    ])) as [EventRow[], SealedDay[]];
    if (row === undefined) throw refuse('not_found', 'The tenant has no such event.');
    const receivedAt = timestamp(Number(row.received_ms));
    const day = receivedAt.slice(0, 10);
    if (sealed === undefined) throw notSealed(day);

    const mismatch = (what: string): Error => {
      log.error({ tenant, day, sequence: Number(row.sequence) }, `the database is not what was sealed: ${what}`);
      return fail(
        'audit_mismatch',
        `${what}: the day ${day} in the database is not what was sealed. Run \`steward audit verify\`.`,
      );
    };
    const previous = row.prev_hash ?? genesis(tenant);
    const hashed = rowHash(previous, row.sequence, row.received_ms, Buffer.from(eventHash(row.event), 'hex'));
    if (!hashed.equals(row.row_hash)) throw mismatch(`The event of sequence ${row.sequence} has another hash`);
    const index = Number(row.sequence - sealed.first_sequence);
    const size = Number(sealed.last_sequence - sealed.first_sequence) + 1;
    if (index < 0 || index >= size) throw mismatch(`Sequence ${row.sequence} is none of the day`);
    const tree = await treeOf(scope, tenant, sealed, index);
    const told = readCheckpoint(sealed.checkpoint.slice(0, sealed.checkpoint.indexOf('\n\n') + 1));
    if (told.owner !== tenant || told.day !== day) throw mismatch('The checkpoint is of another tenant or day');
    if (tree.size !== size || told.count !== size) throw mismatch(`There are ${tree.size} rows of ${told.count}`);
    if (tree.root().toString('hex') !== told.root) throw mismatch('The rows have another root');
    return {
      format: 'steward-audit-proof/1',
      tenant,
      day,
      event: row.event,
      sequence: Number(row.sequence),
      receivedAt,
      previousHash: previous.toString('hex'),
      rowHash: row.row_hash.toString('hex'),
      leafIndex: index,
      treeSize: size,
      path: tree.path().map((hash) => hash.toString('hex')),
      checkpoint: sealed.checkpoint,
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
    `The day ${day} is not sealed yet. A day is sealed once it is over, from ${over} on; ask again then.`,
  );
}
