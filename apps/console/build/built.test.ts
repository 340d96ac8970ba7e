import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { before, describe, test } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';
import { areasOf } from '../screens/routes.ts';
import { built, type Built } from './built.ts';
import { app, cache, stateOfSources } from './sources.ts';

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const kilobyte = 1_000;

describe('the pages of the console, as they are built', () => {
  let pages: Built;
  let manifest: Readonly<Record<string, Chunk>>;
  before(async () => {
    pages = await built();
    manifest = JSON.parse(
      await readFile(join(cache, await stateOfSources(), 'manifest.json'), 'utf8'),
    ) as typeof manifest;
  });

  const weight = (file: string): number => {
    const found = pages.files.get(file.replace('assets/', ''));
    assert.ok(found !== undefined, file);
    return (found.gzip ?? found.bytes).length;
  };
  /** A chunk with all that is loaded before it runs. */
  const closure = (key: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(key)) return seen;
    seen.add(key);
    for (const one of manifest[key]?.imports ?? []) closure(one, seen);
    return seen;
  };
  const filesOf = (keys: Iterable<string>): string[] => [...keys].flatMap((key) => manifest[key]?.file ?? []);
  const sum = (files: readonly string[]): number => files.reduce((all, file) => all + weight(file), 0);
  /** What the page itself names. */
  const named = (kind: RegExp): string[] =>
    [...pages.html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)]
      .map(([, file = '']) => file)
      .filter((file) => kind.test(file));
  const entry = (): string => Object.keys(manifest).find((key) => manifest[key]?.file === named(/\.js$/)[0]) ?? '';
  const nouns = (): string[] => {
    const found = Object.keys(manifest).filter((key) => /^screens\/\w+\/screens\.ts$/.test(key));
    assert.ok(found.length >= 8, `only ${found.length} nouns`);
    return found;
  };
  const within = (most: number, weighed: readonly (readonly [name: string, bytes: number])[]): void => {
    assert.ok(weighed.length > 0);
    assert.deepEqual(
      weighed.filter(([, bytes]) => bytes > most * kilobyte),
      [],
    );
  };

  test('are light: what is loaded first', () => {
    within(160, [['JavaScript', sum(filesOf(closure(entry())))]]);
    within(15, [['CSS', sum(named(/\.css$/))]]);
  });

  test('come in few files: one script and one style sheet, then one script for the screens of a noun', () => {
    assert.deepEqual([named(/\.js$/), named(/\.css$/).length], [filesOf(closure(entry())), 1]);
    assert.equal(named(/\.js$/).length, 1);
    assert.deepEqual(
      Object.values(manifest).filter(({ css = [] }) => css.length > 0),
      [],
    );
    const first = closure(entry());
    for (const noun of nouns()) {
      const own = filesOf([...closure(noun)].filter((key) => !first.has(key)));
      // What two of them share is one more.
      assert.ok(own.length <= 2, `${noun} comes in ${own.join(' ')}`);
    }
  });

  test('are light: what each screen adds, and each language', () => {
    const first = closure(entry());
    within(
      35,
      nouns().map((key) => [key, sum(filesOf([...closure(key)].filter((one) => !first.has(one))))] as const),
    );
    const words = Object.keys(manifest).filter((key) => /^words\/(?:\w\w|first)\/\w+\.ts$/.test(key));
    assert.ok(words.length >= 4 * 10, `only ${words.length} files of words`);
    within(
      12,
      words.map((key) => [key, sum(filesOf([key]))] as const),
    );
  });

  test('say no word that is not loaded with their screen', async () => {
    const screens = join(app, 'screens');
    const sources = (await readdir(screens, { recursive: true })).filter((path) => path.endsWith('.tsx'));
    assert.ok(sources.length > 40, `only ${sources.length} sources`);
    const strange: string[] = [];
    for (const path of sources) {
      const area = path.split(sep)[0] ?? '';
      const text = await readFile(join(screens, path), 'utf8');
      const said = [
        ...[...text.matchAll(/useWords\(\)\.(\w+)/g)].map(([, name = '']) => name),
        ...[...text.matchAll(/const \{([^}]*)\} = useWords\(\);/g)].flatMap(([, names = '']) =>
          names.split(',').map((name) => name.split(':')[0]?.trim() ?? ''),
        ),
      ];
      const loaded = areasOf(area === 'home' ? '/' : `/${area}`);
      const known = new Set<string>([...loaded, 'shell', 'parts']);
      strange.push(...said.filter((name) => !known.has(name)).map((name) => `${path} says ${name}`));
      const taken = [...text.matchAll(/from '\.\.\/(\w+)\/[^']*\.tsx'/g)].map(([, name = '']) => name);
      strange.push(
        ...taken.filter((name) => !loaded.some((one) => one === name)).map((name) => `${path} takes of ${name}`),
      );
    }
    assert.deepEqual(strange, []);
  });

  test('begin with one page that has no script and no style of its own, and names no file that is not there', () => {
    assert.doesNotMatch(pages.html, /<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=/);
    const named = [...pages.html.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
    assert.ok(named.length > 1);
    for (const name of named) assert.ok(pages.files.has(name), name);
  });

  test('ask no other origin for anything', () => {
    for (const [name, { bytes }] of pages.files) {
      const text = bytes.toString('utf8');
      if (name.endsWith('.css')) assert.doesNotMatch(text, /@import|url\((?!["']?\/console\/)/, name);
      assert.doesNotMatch(text, /\b(?:fetch|import|EventSource)\(["'`](?:https?:)?\/\//, name);
    }
    assert.doesNotMatch(pages.html, /(?:src|href)="(?:https?:)?\/\//);
  });

  test('are written without what turns text into markup or a script', async () => {
    const sources = (await readdir(app, { recursive: true })).filter(
      (path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^(?:build|fixtures|node_modules)\b/.test(path),
    );
    assert.ok(sources.length > 40, `only ${sources.length} sources`);
    for (const path of sources)
      assert.doesNotMatch(
        await readFile(join(app, path), 'utf8'),
        /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|\beval\(|new Function\(|document\.write|srcdoc|javascript:/i,
        path,
      );
  });

  test('send GraphQL documents that the schema takes', async () => {
    const schema = buildSchema(await readFile(join(app, '../../docs/reference/schema.graphql'), 'utf8'));
    const faults = [...pages.documents].flatMap(([name, text]) =>
      validate(schema, parse(text)).map(({ message }) => `${name}: ${message}`),
    );
    assert.deepEqual(faults, []);
  });
});
