import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createLog } from '@steward/kernel';
import { serverAudits } from 'graphql-http';
import { createGraph } from '../index.ts';
import { library } from '../sample/library.ts';
import { serve } from '../sample/serve.ts';

const served = await serve(createGraph({ modules: [library], graphiql: true, log: createLog('silent') }));
after(async () => served[Symbol.asyncDispose]());

describe('GraphQL over HTTP', () => {
  for (const audit of serverAudits({ url: served.url })) {
    it(`${audit.id}: ${audit.name}`, async () => {
      const result = await audit.fn();
      assert.deepEqual(
        { status: result.status, ...('reason' in result && { reason: result.reason }) },
        { status: 'ok' },
      );
    });
  }
});
