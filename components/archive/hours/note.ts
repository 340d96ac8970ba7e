/** The end of one chain at a time. */
export interface Head {
  /** A tenant's id. */
  readonly tenant: string;
  readonly sequence: number;
  /** Lower-case hex. */
  readonly rowHash: string;
}

/** The ends of the chains that had changed since the hour before. */
export interface Hour {
  /** Counted from 1 without a gap. */
  readonly number: number;
  /** RFC 3339, UTC, by the database's clock. */
  readonly takenAt: string;
  readonly incarnation: number;
  /** SHA-256 of the note before, hex; undefined in the first. */
  readonly previous: string | undefined;
  /** In the order of the tenants. */
  readonly heads: readonly Head[];
}

const top =
  /^steward\/audit\/hour\n([1-9]\d{0,8})\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\nincarnation ([1-9]\d{0,8})\n(?:previous ([0-9a-f]{64})\n)?/;
const line = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}) ([1-9]\d{0,15}) ([0-9a-f]{64})\n/y;

/**
 * Reads what an hourly checkpoint signs (docs/guides/audit-archive.md).
 * @throws Error where the text is in another form
 */
export function readHour(text: string): Hour {
  const found = top.exec(text);
  if (found === null) throw new Error('This is no hourly checkpoint.');
  const [whole, number, takenAt = '', incarnation, previous] = found;
  const heads: Head[] = [];
  let before = '';
  line.lastIndex = whole.length;
  while (line.lastIndex < text.length) {
    const [, tenant = '', sequence, rowHash = ''] = line.exec(text) ?? [];
    if (tenant <= before) throw new Error('This is no hourly checkpoint: a line is malformed or out of order.');
    before = tenant;
    heads.push({ tenant, sequence: Number(sequence), rowHash });
  }
  return { number: Number(number), takenAt, incarnation: Number(incarnation), previous, heads };
}
