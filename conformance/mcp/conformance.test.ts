import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startProxy, type Proxy } from './proxy.ts';
import { startSuiteServer, type SuiteServer } from './server.ts';
import { requirements, scenario } from './suite.ts';

describe('the official MCP conformance suite', () => {
  let server: SuiteServer;
  let proxy: Proxy;
  before(async () => {
    server = await startSuiteServer();
    proxy = await startProxy(server.url, server.headers);
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  for (const revision of ['2026-07-28', '2025-11-25'] as const) {
    test(`holds all of ${revision} but what its baseline names with a reason`, async () => {
      const { passed, output } = await requirements(revision, proxy.url);
      assert.ok(passed, output);
    });
  }

  for (const name of ['json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation']) {
    test(`passes ${name}, which no revision scores`, async () => {
      const { passed, output } = await scenario(name, proxy.url);
      assert.ok(passed, output);
      assert.match(output, /0 failed, 0 warnings/);
    });
  }
});
