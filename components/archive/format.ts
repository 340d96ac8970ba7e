/** The files of an archive, how they are written and read: for verification. */
export { checkpointText } from './format/checkpoint.ts';
export { readKeyNote, writeKeyNote } from './format/key-note.ts';
export { dayLine } from './format/line.ts';
export {
  type DayManifest,
  manifestBytes,
  manifestSha256,
  type PlatformManifest,
  readManifest,
} from './format/manifest.ts';
export { MerkleTree } from './format/merkle.ts';
export { keyIdOf, type SigningKey, signNote, verifierKey } from './format/note.ts';
export { claimPath, dayPaths, expiredPath, hourPath, keyPath } from './format/paths.ts';
export { type Claim } from './claim/note.ts';
export { openClaim } from './claim/read.ts';
export { type Head } from './hours/note.ts';
export { type ArchivedHour, mostHourBytes, openHour } from './hours/read.ts';
export { signerOf } from './sealing/days/archived-day.ts';
export { beginOf, dayAfter, dayBefore, dayOf, endOf, isDay } from './sealing/calendar.ts';
export { publicKeyOf } from './signing/public-key.ts';
export { openTarget } from './targets/open.ts';
export { ArchiveConflict, type ArchiveTarget, mostOfSmall } from './targets/target.ts';
