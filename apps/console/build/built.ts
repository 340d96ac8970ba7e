import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { app, cache, stateOfSources } from './sources.ts';

export { calledIn } from '../words/called.ts';

export interface BuiltFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Where it is smaller than the bytes. */
  readonly gzip?: Buffer;
  readonly brotli?: Buffer;
}

export interface Built {
  /** The one page, for every address of the console. */
  readonly html: string;
  /** By name below `/console/assets/`, which changes with what is in them: immutable. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** GraphQL documents that the pages send, by the name that they send instead: `documents/NAME.graphql`. */
  readonly documents: ReadonlyMap<string, string>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The pages, from the cache, or built into it first by a process of its own: some seconds, once for a state of the sources.
 * @throws Error with what the bundler said
 */
export async function built(): Promise<Built> {
  const folder = join(cache, await stateOfSources());
  if (!existsSync(folder)) await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'command.ts')]);
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  return { html, files: await filesOf(folder), documents: await documentsOf(join(app, 'documents')) };
}

async function filesOf(folder: string): Promise<ReadonlyMap<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>();
  const paths = new Set(await readdir(join(folder, 'assets'), { recursive: true }));
  const read = async (path: string): Promise<Buffer | undefined> =>
    paths.has(path) ? readFile(join(folder, 'assets', path)) : undefined;
  for (const path of paths) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const [bytes, gzip, brotli] = await Promise.all([read(path), read(`${path}.gz`), read(`${path}.br`)]);
    if (bytes === undefined) continue;
    files.set(path.replaceAll(sep, '/'), {
      type,
      bytes,
      ...(gzip === undefined ? {} : { gzip }),
      ...(brotli === undefined ? {} : { brotli }),
    });
  }
  return files;
}

/** By name, with the fragments that they spread: `fragments/NAME.graphql` has the one of this name, for documents that share it. */
async function documentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const [documents, fragments] = await Promise.all([textsOf(folder), textsOf(join(folder, 'fragments'))]);
  return new Map(Array.from(documents, ([name, text]) => [name, withFragments(text, fragments)]));
}

function withFragments(text: string, fragments: ReadonlyMap<string, string>): string {
  const parts = new Set([text]);
  // Also those that fragments spread: what a set gets while it is read is read too. Others stand in the document itself.
  for (const part of parts)
    for (const [, name = ''] of part.matchAll(/\.\.\.(\w+)/g)) parts.add(fragments.get(name) ?? text);
  return [...parts].join('\n');
}

async function textsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql')).toSorted();
  return new Map(
    await Promise.all(
      names.map(async (name) => [basename(name, '.graphql'), await readFile(join(folder, name), 'utf8')] as const),
    ),
  );
}
