import { readdirSync, readFileSync } from 'node:fs';
import { authorization } from './authorization.ts';
import { errorBodies } from './errors.ts';
import type { Sample } from './sample.ts';
import { openSetting, type Setting } from './setting.ts';
import { stored } from './stored.ts';
import { parsed } from './table.ts';
import { toolLists } from './tool-lists.ts';

export const folder = new URL('taken/', import.meta.url);

export const recorded = (name: string): string => {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    return '';
  }
};

/** Names of all that is recorded. */
export const recordedNames = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(folder.pathname.length)}/${name}`.replace(/^\//, ''))
    .toSorted();

const parts: Readonly<Record<string, (setting: Setting, sample: Sample) => Promise<Record<string, string>>>> = {
  stored,
  tools: async (setting, sample) =>
    toolLists(setting, sample, {
      table: parsed(recorded('tools/lists.txt')),
      lists: recorded('tools/names.txt'),
    }),
  errors: async (setting, sample) =>
    errorBodies(setting, sample, {
      table: parsed(recorded('errors/asked.txt')),
      answers: recorded('errors/answers.txt'),
    }),
  authorization: async (setting, sample) => authorization(setting, sample, (name) => parsed(recorded(name))),
};

export const partNames = Object.keys(parts);

/** Takes the recordings from the code that is here, by calling a server that runs: texts by the names of their files. */
export async function take(sample: Sample, names: readonly string[] = partNames): Promise<Record<string, string>> {
  await using setting = await openSetting();
  const found: Record<string, string> = {};
  for (const name of names) Object.assign(found, await parts[name]?.(setting, sample));
  return found;
}
