import { sql, type Row, type Statement } from '@steward/sql';
import { arrayLiteral, type Entry } from './entry.ts';

/** `tenant`: the end of a domain write. `skip` and `wait`: the group commit, past locked heads or waiting for them. */
export type Mode = 'tenant' | 'skip' | 'wait';

/** Calls `audit.append`. Entries must be in the order of their tenants (lower-case UUIDs sort alike
 * here and there), those of one key together. */
export const appendStatement = (mode: Mode, entries: readonly Entry[], retry = false): Statement =>
  sql`select * from audit.append(${mode}, ${retry}, ${entries.map(line).join('\n')})`;

/** Calls `audit.record`, for a verb's own events: it raises where one is not appended. */
export const recordStatement = (entries: readonly Entry[]): Statement =>
  sql`select audit.record(${entries.map(line).join('\n')})`;

/** The same for the verbs of several tenants that share a transaction: entries in the order of their tenants. */
export const recordTogetherStatement = (entries: readonly Entry[]): Statement =>
  sql`select audit.record_together(${entries.map(line).join('\n')})`;

/** Canonical JSON holds no raw control character, and identifiers with one are refused: nothing needs escaping. */
function line({ envelope, text, hash, principals, admission }: Entry): string {
  const { tenantId, idempotencyKey = '', id, type, grammar, occurredAt, causalId = '', correlationId = '' } = envelope;
  const subject =
    admission === undefined
      ? '\x1f\x1f'
      : `${admission.subject.type}${admission.under === undefined ? '' : ` ${admission.under}`}\x1f${admission.subject.id}\x1f${rolesLiteral(admission.roles)}`;
  const rest = `${idempotencyKey}\x1f${id}\x1f${type}\x1f${grammar}\x1f${occurredAt}\x1f${causalId}\x1f${correlationId}`;
  return `${tenantId}\x1f${subject}\x1f${rest}\x1f${principals}\x1f${hash}\x1f${text}`;
}

const literals = new WeakMap<ReadonlySet<string>, string>();

function rolesLiteral(roles: ReadonlySet<string>): string {
  const known = literals.get(roles) ?? arrayLiteral([...roles]);
  literals.set(roles, known);
  return known;
}

/** A row of the answer. */
export interface AppendRow extends Row {
  readonly outcome: 'appended' | 'replayed' | 'busy' | 'no_chain' | 'forbidden';
  readonly standing: string | null;
  readonly sequence: bigint | null;
  readonly row_hash: Buffer | null;
  readonly prev_hash: Buffer | null;
  readonly received_ms: bigint | null;
  /** The stored text, where it is not the one that was sent. */
  readonly event: string | null;
}
