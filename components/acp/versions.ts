/** Releases of the protocol that are served, newest first. */
export const versions = ['2026-04-17'] as const;
export const version = versions[0];
