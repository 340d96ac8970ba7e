import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { createWorld } from '../world/index.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

/** A page of an origin of its own. */
async function serve(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><p>A client</p>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

if (executablePath !== '') {
  describe('a client in a real browser', () => {
    test('calls tools from a page of an allowed origin and reads challenges; from another it gets nothing', async () => {
      const [allowed, other] = [await serve(), await serve()];
      await using world = await createWorld({ MCP_ALLOWED_ORIGINS: allowed.origin });
      const { token: owner } = await world.signUp('owner@example.com');
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      /** The status, what was read of the challenge, and the members of the body; or that the browser kept it. */
      const ask = async (origin: string, token: string): Promise<unknown> => {
        const page = await browser.newPage();
        await page.goto(origin);
        return page.evaluate(
          async ([url, bearer, body]) => {
            try {
              const answer = await fetch(url ?? '', {
                method: 'POST',
                headers: {
                  authorization: `Bearer ${bearer}`,
                  'content-type': 'application/json',
                  'mcp-method': 'ping',
                },
                body: body ?? '',
              });
              const challenge = answer.headers.get('www-authenticate');
              return [
                answer.status,
                challenge !== null,
                Object.keys((await answer.json()) as object).includes('result'),
              ];
            } catch {
              return 'kept from the page';
            }
          },
          [world.server.addresses.mcp, token, '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
        );
      };
      try {
        assert.deepEqual(await ask(allowed.origin, owner), [200, false, true]);
        assert.deepEqual(await ask(allowed.origin, 'nobody'), [401, true, false]);
        assert.equal(await ask(other.origin, owner), 'kept from the page');
      } finally {
        await browser.close();
        for (const { server } of [allowed, other]) server.close();
      }
    });
  });
}
