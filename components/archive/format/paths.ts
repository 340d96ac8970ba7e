/** The paths of the three objects of a sealed day. `owner`: a tenant's id or `platform`; `day`: `YYYY-MM-DD`. */
export function dayPaths(owner: string, day: string): { rows: string; manifest: string; checkpoint: string } {
  const stem = `${owner}/${day.replaceAll('-', '/')}`;
  return { rows: `${stem}.jsonl`, manifest: `${stem}.manifest.json`, checkpoint: `${stem}.checkpoint` };
}

/** The note that distinguishes an expiry from a deletion. */
export const expiredPath = (owner: string, day: string): string => `${owner}/${day.replaceAll('-', '/')}.expired`;

export const keyPath = (keyId: string): string => `platform/keys/${keyId}.note`;

/** The checkpoint of an hour, and the claim of a database; numbers are counted from 1. */
export const hourPath = (number: number): string => `platform/hours/${String(number).padStart(9, '0')}.note`;
export const claimPath = (number: number): string => `platform/claims/${String(number).padStart(9, '0')}.note`;
