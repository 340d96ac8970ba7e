import { epochMs, int32 } from '@steward/sql';

/** A stored event, all of it decoded: for rows that need a careful look. */
export interface EventRow {
  readonly sequence: bigint;
  /** Microseconds since the epoch. */
  readonly receivedUs: bigint;
  readonly occurredUs: bigint;
  readonly eventHash: Buffer;
  readonly rowHash: Buffer;
  readonly id: string;
  readonly type: string;
  readonly grammar: string;
  readonly causalId: string | null;
  readonly correlationId: string | null;
  readonly principals: readonly (string | null)[];
  readonly event: string;
}

export const eventColumns = `tenant_id, sequence, received_at, occurred_at, event_hash, row_hash, id::text, type, grammar,
  causal_id, correlation_id, principals, event`;

/** The offsets of the fields of fixed width in a row of `eventColumns`, as long as each has its width. */
export const at = {
  tenant: 6,
  sequence: 26,
  received: 38,
  occurred: 50,
  eventHash: 62,
  rowHash: 98,
  id: 134,
  rest: 170,
};

const epochUs = BigInt(epochMs) * 1000n;

/** The offsets of the fields of a row in bytes; lengths of those that may be null, -1 if they are. */
export class Spans {
  type = 0;
  grammar = 0;
  causalId = 0;
  causalLength = 0;
  correlationId = 0;
  correlationLength = 0;
  principals = 0;
  event = 0;

  /** Whether the row has the form that its constraints promise; they can be dropped. */
  measure(row: Buffer): boolean {
    this.type = at.rest + 4;
    this.grammar = this.type + int32(row, at.rest) + 4;
    this.causalId = this.grammar + int32(row, this.grammar - 4) + 4;
    this.causalLength = int32(row, this.causalId - 4);
    this.correlationId = this.causalId + Math.max(this.causalLength, 0) + 4;
    this.correlationLength = int32(row, this.correlationId - 4);
    this.principals = this.correlationId + Math.max(this.correlationLength, 0) + 4;
    this.event = this.principals + int32(row, this.principals - 4) + 4;
    return (
      int32(row, at.received - 4) === 8 &&
      int32(row, at.occurred - 4) === 8 &&
      int32(row, at.eventHash - 4) === 32 &&
      int32(row, at.rowHash - 4) === 32 &&
      int32(row, at.id - 4) === 36 &&
      this.type + 4 <= this.grammar &&
      this.grammar + 4 <= this.causalId &&
      this.principals + 16 <= this.event &&
      this.event + int32(row, this.event - 4) === row.length
    );
  }
}

/** Lower case with hyphens, as PostgreSQL and the envelope write it. */
export function uuidAt(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Names a tenant by its 16 bytes, one a character: such strings sort as PostgreSQL sorts ids. Rows in a run share one. */
export class RawTenant {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;
  #raw = '';

  of(row: Buffer): string {
    const a = int32(row, at.tenant);
    const b = int32(row, at.tenant + 4);
    const c = int32(row, at.tenant + 8);
    const d = int32(row, at.tenant + 12);
    if (d !== this.#d || c !== this.#c || b !== this.#b || a !== this.#a || this.#raw === '') {
      this.#a = a;
      this.#b = b;
      this.#c = c;
      this.#d = d;
      this.#raw = row.toString('latin1', at.tenant, at.tenant + 16);
    }
    return this.#raw;
  }
}

/** The fields' bytes, copied: a row is only there while it is handed over. */
export function fieldsOf(row: Buffer): (Buffer | null)[] {
  const own = Buffer.from(row);
  const fields: (Buffer | null)[] = [];
  let offset = 2;
  for (let left = own.readInt16BE(0); left > 0; left -= 1) {
    const length = own.readInt32BE(offset);
    offset += 4;
    fields.push(length < 0 ? null : own.subarray(offset, offset + length));
    offset += Math.max(length, 0);
  }
  return fields;
}

export const microseconds = (field: Buffer | null | undefined): bigint =>
  field?.length === 8 ? field.readBigInt64BE() + epochUs : 0n;

export function decodeEvent(row: Buffer): EventRow {
  const fields = fieldsOf(row);
  const text = (index: number): string | null => fields[index]?.toString() ?? null;
  return {
    sequence: fields[1]?.readBigInt64BE() ?? 0n,
    receivedUs: microseconds(fields[2]),
    occurredUs: microseconds(fields[3]),
    eventHash: fields[4] ?? Buffer.alloc(0),
    rowHash: fields[5] ?? Buffer.alloc(0),
    id: text(6) ?? '',
    type: text(7) ?? '',
    grammar: text(8) ?? '',
    causalId: text(9),
    correlationId: text(10),
    principals: decodeArray(fields[11]),
    event: text(12) ?? '',
  };
}

/** PostgreSQL's array of text: dimensions, flags, element type, length and lower bound of each dimension, elements. */
function decodeArray(field: Buffer | null | undefined): (string | null)[] {
  if (field?.readInt32BE(0) !== 1) return [];
  const elements: (string | null)[] = [];
  let offset = 20;
  for (let left = field.readInt32BE(12); left > 0; left -= 1) {
    const length = field.readInt32BE(offset);
    offset += 4;
    elements.push(length < 0 ? null : field.toString('utf8', offset, offset + length));
    offset += Math.max(length, 0);
  }
  return elements;
}
