import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, oneOf, settings, text } from '@steward/kernel';
import { list } from './list.ts';

const migrations = new URL('migrations/', import.meta.url);
const words = { name: 'words', migrations, create: ({ hello }: { hello: string }) => ({ say: () => hello }) } as const;
const signs = {
  name: 'signs',
  migrations,
  create: ({ words: { say }, end }: { words: { say(): string }; end: string }) => ({ sign: say() + end }),
} as const;

test('components are made in the order of the list, of what the process and those before them have', () => {
  const made: string[] = [];
  const application = list<{ hello: string }>()
    .with(words)
    .with(signs, ({ hello }) => ({ end: hello === 'Hi' ? '!' : '.' }));
  assert.deepEqual(
    application.components.map(({ name }) => name),
    ['words', 'signs'],
  );
  assert.equal(
    application.make({ hello: 'Hi', config: application.readConfig({}) }, ({ name }) => made.push(name)).signs.sign,
    'Hi!',
  );
  assert.deepEqual(made, ['words', 'signs']);
});

test('whoever makes components is told of each before the next one is made, which may fail', () => {
  const made: string[] = [];
  const broken = {
    name: 'broken',
    migrations,
    create: (): object => {
      throw new Error('no');
    },
  } as const;
  const application = list<{ hello: string }>().with(words).with(broken);
  assert.throws(
    () => application.make({ hello: 'Hi', config: application.readConfig({}) }, ({ name }) => made.push(name)),
    /no/,
  );
  assert.deepEqual(made, ['words']);
});

test('what is configured of a component is read with the rest, and is there when it is made', () => {
  const lamp = {
    name: 'lamp',
    migrations,
    settings: settings({ LAMP: { default: 'off', says: '`on` or `off`.' } }, (env) => ({
      lamp: oneOf('LAMP', text(env, 'LAMP'), ['on', 'off']),
    })),
    create: ({ config }: { config: { lamp: 'on' | 'off' } }) => ({ lit: config.lamp === 'on' }),
  } as const;
  const application = list<object>().with(lamp);
  assert.equal(application.make({ config: application.readConfig({ LAMP: 'on' }) }, () => undefined).lamp.lit, true);
  assert.throws(() => application.readConfig({ LAMP: 'dim' }), ConfigError);
});

test('what a component needs and nobody gives does not compile', () => {
  const spoken = list<{ hello: string }>().with(words);
  // @ts-expect-error `words` is not there yet
  list<{ end: string }>().with(signs);
  // @ts-expect-error `end` is missing
  spoken.with(signs);
  // @ts-expect-error `end` is no string
  spoken.with(signs, () => ({ end: 1 }));
  // @ts-expect-error `hello` of the process is no string
  list<{ hello: number }>().with(words);
});
