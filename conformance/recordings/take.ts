import { readdirSync, readFileSync } from 'node:fs';
import { authorization, reached } from './authorization.ts';
import type { Sample } from './sample.ts';
import { openSetting } from './setting.ts';
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

/** Takes the recordings from the code that is here, by calling a server that runs: texts by the names of their files. */
export async function take(sample: Sample): Promise<Record<string, string>> {
  await using setting = await openSetting();
  const found = {
    ...(await toolLists(setting, sample, {
      table: parsed(recorded('tools/lists.txt')),
      lists: recorded('tools/names.txt'),
    })),
    'authorization/reached.txt': await reached(setting),
  };
  const tables = await authorization(setting, sample, (group) => parsed(recorded(`authorization/${group}.txt`)));
  return {
    ...found,
    ...Object.fromEntries(Object.entries(tables).map(([group, text]) => [`authorization/${group}.txt`, text])),
  };
}
