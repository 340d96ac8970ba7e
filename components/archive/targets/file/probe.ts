import { link, lstat, readFile } from 'node:fs/promises';
import type { Powers } from '../target.ts';
import { codeOf } from './faults.ts';
import type { ImmutableBit } from './immutable.ts';
import { createTemporary, removeIfThere, removeProtected } from './temporary.ts';

/** Tries on a temporary file what objects are promised. `bit` is given where the immutable bit was asked for. */
export async function probe(folder: string, bit: ImmutableBit | undefined): Promise<Powers> {
  const first = await createTemporary(folder);
  const second = await createTemporary(folder);
  try {
    await first.file.writeFile('first');
    await first.file.chmod(0o444);
    await first.file.sync();
    const nameTakenOnce = await refused(() => link(second.path, first.path), 'EEXIST');
    const readBack = (await readFile(first.path, 'latin1')) === 'first';
    const readOnly = ((await lstat(first.path)).mode & 0o222) === 0;
    const tried = { nameTakenOnce, readBack, readOnly };
    const writeOnce = nameTakenOnce && readBack;
    if (bit === undefined) return { kind: 'file', writeOnce, by: writeOnce ? 'link' : 'none', tried };
    const immutable = (await bit.set(first.path)) && (await refused(() => removeIfThere(first.path), 'EPERM'));
    const by = writeOnce ? (immutable ? 'link+immutable' : 'link') : 'none';
    return { kind: 'file', writeOnce, by, tried: { ...tried, immutable } };
  } finally {
    await first.file.close();
    await second.file.close();
    await (bit === undefined ? removeIfThere(first.path) : removeProtected(first.path, bit));
    await removeIfThere(second.path);
  }
}

async function refused(attempt: () => Promise<unknown>, code: string): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    if (codeOf(error) === code) return true;
    throw error;
  }
}
