import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './errors.ts';
import { ended, processesIn, sendSignal } from './processes.ts';

const PREFIX = '.postgres-creating-';

/** A cluster is made in such a folder beside its final place and renamed, so that it appears whole or not at all. */
export function newStagingFolder(location: string): string {
  return mkdtempSync(join(dirname(location), PREFIX));
}

/** Whether a cluster was being made for this place when the process ended. */
export function isBeingCreated(location: string): boolean {
  return stagingFolders(dirname(location)).length > 0;
}

/** Removes what interrupted creations left in the folder, and ends their processes if they still run. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of stagingFolders(folder)) {
    const staging = join(folder, name);
    const left = await processesIn(staging);
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    await ended(left, 5000);
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }
}

function stagingFolders(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw cause;
  }
}
