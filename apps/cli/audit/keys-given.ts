import { readFile } from 'node:fs/promises';
import { UsageError } from '../command.ts';

const keyLine = /^steward\/audit\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;

/** A key as it is written, or a file of such lines: what `audit keys` prints, or the keys.txt of an export. */
export async function readKeys(told: string): Promise<string[]> {
  if (keyLine.test(told)) return [told];
  const file = await readFile(told, 'utf8').catch(() => '');
  const lines = file.split('\n').flatMap((line) =>
    line
      .trim()
      .split(/\s+/)
      .filter((word) => keyLine.test(word)),
  );
  if (lines.length === 0) throw new UsageError(`--key ${told} is neither steward/audit+… nor a file with such a line.`);
  return lines;
}
