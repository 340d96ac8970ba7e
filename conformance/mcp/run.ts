import { startProxy } from './proxy.ts';
import { startSuiteServer } from './server.ts';
import { requirements, scenario, type Verdict } from './suite.ts';

/** Runs the official MCP conformance suite: `node conformance/mcp/run.ts`. Exit code 1 when anything is not as expected. */
await using server = await startSuiteServer();
await using proxy = await startProxy(server.url, server.headers);

const report = (title: string, { passed, output }: Verdict): void => {
  console.log(`== ${title}: ${passed ? 'as expected' : 'NOT as expected'}\n${output}`);
  if (!passed) process.exitCode = 1;
};

for (const revision of ['2026-07-28', '2025-11-25'] as const) {
  report(`requirements of ${revision}`, await requirements(revision, proxy.url));
}
for (const name of ['json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation']) {
  report(`scenario ${name}`, await scenario(name, proxy.url));
}
