import { epochMs, readInt64 } from '@steward/sql';
import { at, type Spans } from './tuple.ts';

// A canonical envelope up to its payload, and from there on. Strings with escapes do not match: they are not as they read.
const text = String.raw`"[^"\\]*"`;
const captured = String.raw`"([^"\\]*)"`;
const head = new RegExp(
  String.raw`\{(?:"causalId":${captured},)?(?:"correlationId":${captured},)?(?:"dimensionalTags":\{(?:${text}:${text},?)*\},)?` +
    String.raw`"eventVersion":${text},"grammar":${captured},"grammarDigest":${text},"id":${captured},(?:"idempotencyKey":${captured},)?` +
    String.raw`"ingestedBy":\{"principalId":${text},"principalType":${text}\},"occurredAt":${captured},"payload":`,
  'y',
);
/** Behind the first quote of `source`. */
const sources = new RegExp(String.raw`[^"\\]*",(?:"sourceEventId":${text},)?(?:"sourceSystem":${text},)?`, 'y');

/** What the text names, where it has no key. */
export const noKey = '';

/**
 * Compares the copies of one tenant's events with their texts without parsing them, which costs more than hashing them.
 * A row is given with one byte a character, so that UTF-8 is compared unchanged.
 */
export class QuickCopies {
  readonly #tenant: string;
  /** Events in a row are mostly of the same type, by the same principals: what their columns make of the text. */
  #type: string | undefined;
  #typeText: string | undefined;
  #principals: string | undefined;
  #principalsText = '';
  /** And at mostly the same minute: parsing costs more than comparing. */
  #minute = '';
  #minuteMs = 0;

  constructor(tenant: string) {
    this.#tenant = tenant;
  }

  /**
   * @returns the idempotency key that the text names, or `noKey`; undefined if the copies differ, or if this cannot
   * decide it because of escapes or other members than ours: then the text must be parsed
   */
  key(row: string, bytes: Buffer, spans: Spans): string | undefined {
    head.lastIndex = spans.event;
    const before = head.exec(row);
    if (before === null) return undefined;
    const [, causalId, correlationId, grammar, id, key = noKey, occurredAt = ''] = before;
    const same =
      id === row.slice(at.id, at.rest) &&
      grammar === row.slice(spans.grammar, spans.causalId - 4) &&
      causalId === optional(row, spans.causalId, spans.causalLength) &&
      correlationId === optional(row, spans.correlationId, spans.correlationLength) &&
      this.#time(occurredAt) === epochMs + readInt64(bytes, at.occurred) / 1000 &&
      this.#ends(row, skip(row, head.lastIndex), spans);
    return same ? key : undefined;
  }

  /** The principals of the last row that was cleared, as COPY gives them. */
  get principals(): string {
    return this.#principals ?? '';
  }

  /** Whether the text after the payload agrees with the columns. */
  #ends(row: string, payloadEnd: number, spans: Spans): boolean {
    const chain = this.#chain(row.slice(spans.principals, spans.event - 4));
    sources.lastIndex = payloadEnd + chain.length;
    if (row.slice(payloadEnd, sources.lastIndex) !== chain || !sources.test(row)) return false;
    return row.slice(sources.lastIndex) === this.#last(row.slice(spans.type, spans.grammar - 4));
  }

  /** The last two members; undefined if the type cannot be in a text without escapes. */
  #last(type: string): string | undefined {
    if (type !== this.#type) {
      this.#type = type;
      this.#typeText = isPlain(type) ? `"tenantId":"${this.#tenant}","type":"${type}"}` : undefined;
    }
    return this.#typeText;
  }

  /** Milliseconds; NaN where this is no time as envelopes write it. */
  #time(occurredAt: string): number {
    if (this.#minute === '' || !occurredAt.startsWith(this.#minute)) {
      this.#minute = occurredAt.slice(0, 17);
      this.#minuteMs = Date.parse(`${this.#minute}00Z`);
    }
    const seconds = digit(occurredAt, 17, 5) * 10 + digit(occurredAt, 18);
    const milliseconds = digit(occurredAt, 20) * 100 + digit(occurredAt, 21) * 10 + digit(occurredAt, 22);
    const formed = occurredAt.length === 24 && occurredAt.charAt(19) === '.' && occurredAt.charAt(23) === 'Z';
    return formed ? this.#minuteMs + seconds * 1000 + milliseconds : Number.NaN;
  }

  /** The chain that is stored as an array of `type:id`, up to the first quote of `source`. */
  #chain(column: string): string {
    if (column === this.#principals) return this.#principalsText;
    const bytes = Buffer.from(column, 'latin1');
    const links: string[] = [];
    let element = 20;
    for (let left = bytes.readInt32BE(0) === 1 ? bytes.readInt32BE(12) : 0; left > 0; left -= 1) {
      const length = bytes.readInt32BE(element);
      const told = column.slice(element + 4, element + 4 + Math.max(length, 0));
      const colon = told.indexOf(':');
      // Null, or not ours: no text is this one.
      const link = `{"principalId":"${told.slice(colon + 1)}","principalType":"${told.slice(0, colon)}"}`;
      links.push(colon < 0 || !isPlain(told) ? '' : link);
      element += 4 + Math.max(length, 0);
    }
    this.#principals = column;
    this.#principalsText = `,"principalChain":[${links.join(',')}],"source":"`;
    return this.#principalsText;
  }
}

/** Whether JSON writes the string as it is. */
const isPlain = (value: string): boolean => !value.includes('"') && !value.includes('\\');

function digit(text: string, place: number, most = 9): number {
  const value = text.charCodeAt(place) - 48;
  return value >= 0 && value <= most ? value : Number.NaN;
}

const optional = (row: string, column: number, length: number): string | undefined =>
  length < 0 ? undefined : row.slice(column, column + length);

/** The place behind the object or array that begins here, or the end. */
function skip(row: string, from: number): number {
  let depth = 0;
  for (let place = from; place < row.length; place += 1) {
    const character = row.charCodeAt(place);
    if (character === 34) {
      for (place += 1; row.charCodeAt(place) !== 34 && place < row.length; place += 1)
        if (row.charCodeAt(place) === 92) place += 1;
    } else if (character === 123 || character === 91) {
      depth += 1;
    } else if (character === 125 || character === 93) {
      depth -= 1;
      if (depth <= 0) return place + 1;
    }
  }
  return row.length;
}
