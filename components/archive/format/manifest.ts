import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '@steward/audit/chain';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const common = {
  day,
  /** 1, and one more after each restored backup. */
  incarnation: z.int().min(1),
  /** Rows of the day; on the platform's day, tenants. */
  count,
  /** Of the rows' file. */
  bytes: count,
  sha256,
  /** RFC 6962 tree hash. */
  root: sha256,
  /** Absent on the first day. */
  previous: z
    .strictObject({
      day,
      manifestSha256: sha256,
      versions: z.strictObject({ rows: z.string(), manifest: z.string(), checkpoint: z.string() }).optional(),
    })
    .readonly()
    .optional(),
  /** What the target was seen to enforce. */
  target: z
    .strictObject({
      kind: z.enum(['file', 's3']),
      writeOnce: z.boolean(),
      by: z.string(),
      tried: z.record(z.string(), z.boolean()).readonly(),
    })
    .readonly(),
};

const dayManifest = z
  .strictObject({
    format: z.literal('steward-audit-day/1'),
    tenant: z.guid().lowercase(),
    firstSequence: z.int().min(1),
    /** In an empty day one less than `firstSequence`. */
    lastSequence: count,
    firstPreviousHash: sha256,
    lastRowHash: sha256,
    ...common,
  })
  .readonly();

const platformManifest = z.strictObject({ format: z.literal('steward-audit-platform-day/1'), ...common }).readonly();

/** What one UTC day of one tenant holds. */
export type DayManifest = z.infer<typeof dayManifest>;
/** Every tenant's manifest of one UTC day. */
export type PlatformManifest = z.infer<typeof platformManifest>;

const manifest = z.discriminatedUnion('format', [dayManifest, platformManifest]);

/** RFC 8785 text and LF: the file, byte by byte. */
export const manifestBytes = (told: DayManifest | PlatformManifest): Buffer => Buffer.from(`${canonical(told)}\n`);

/** Lower-case hex. */
export const manifestSha256 = (bytes: Buffer): string => hash('sha256', bytes);

/** @throws Error where the bytes are no manifest in the form that `manifestBytes` writes */
export function readManifest(bytes: Buffer): DayManifest | PlatformManifest {
  const told = manifest.parse(JSON.parse(bytes.toString()));
  if (!manifestBytes(told).equals(bytes)) throw new Error('The manifest is not canonical JSON and one line feed.');
  return told;
}

/** A line of the platform's day, with its LF. Lines are in the order of the tenants' ids. */
export const platformLine = (tenant: string, manifestHash: string): string =>
  `${canonical({ manifest: manifestHash, tenant })}\n`;
