export interface Checkpoint {
  /** A tenant's id or `platform`. */
  readonly owner: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly count: number;
  /** Lower-case hex, as in the manifest. */
  readonly root: string;
  readonly manifestSha256: string;
}

const form =
  /^steward\/audit\/([0-9a-f-]{36}|platform)\/(\d{4}-\d{2}-\d{2})\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\nmanifest ([0-9a-f]{64})\n$/;

/** The text that is signed: a checkpoint of C2SP tlog-checkpoint with one extension line. */
export const checkpointText = ({ owner, day, count, root, manifestSha256 }: Checkpoint): string =>
  `steward/audit/${owner}/${day}\n${count}\n${Buffer.from(root, 'hex').toString('base64')}\nmanifest ${manifestSha256}\n`;

/** @throws Error where the text is not in the form that `checkpointText` writes */
export function readCheckpoint(text: string): Checkpoint {
  const [, owner = '', day = '', count = '', root = '', manifestSha256 = ''] = form.exec(text) ?? [];
  const told = { owner, day, count: Number(count), root: Buffer.from(root, 'base64').toString('hex'), manifestSha256 };
  if (checkpointText(told) !== text) throw new Error('This is no checkpoint of a sealed day.');
  return told;
}
