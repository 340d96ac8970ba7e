/** The revision without a handshake: every request says its version (MCP 2026-07-28). */
export const modernRevision = '2026-07-28';

/** Revisions opened by `initialize`, newest first. */
export const legacyRevisions: readonly string[] = ['2025-11-25', '2025-06-18'];

export const supportedRevisions: readonly string[] = [modernRevision, ...legacyRevisions];

const everNamed: ReadonlySet<string> = new Set([...supportedRevisions, '2025-03-26', '2024-11-05', '2024-10-07']);

/** Whether a protocol revision of that name was ever published. */
export const isRevision = (name: string): boolean => everNamed.has(name);

/** What `initialize` answers: the revision asked for, else the newest that has a handshake; never a modern one. */
export const negotiate = (asked: string): string =>
  legacyRevisions.includes(asked) ? asked : (legacyRevisions[0] as string);
