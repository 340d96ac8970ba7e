import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '@steward/kernel';
import { catalogueSettings } from './settings.ts';

test('pictures come from this machine itself only where it is said, and never in production', () => {
  const read = (env: Record<string, string>) => readConfig(env, [{ settings: catalogueSettings }]).picturesFromLoopback;
  for (const mode of ['', 'development', 'test', 'production']) assert.equal(read({ NODE_ENV: mode }), false, mode);
  assert.equal(read({ PICTURES_FROM_LOOPBACK: 'allow' }), true);
  assert.throws(() => read({ PICTURES_FROM_LOOPBACK: 'yes' }), ConfigError);
  assert.throws(() => read({ PICTURES_FROM_LOOPBACK: 'allow', NODE_ENV: 'production' }), ConfigError);
});
