import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { newId } from '@steward/kernel';
import { chromium, type Page } from 'playwright-core';
import { createClient } from '../fixtures/client.ts';
import { pkce, startProvider } from '../fixtures/provider.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

/** What a page asked the network for, beside itself. */
function watch(page: Page): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') foreign.push(message.text());
  });
  return foreign;
}

if (executablePath !== '') {
  describe('signing in with a browser', () => {
    it('leads through login and consent back to the client, by keyboard, without scripts or foreign assets', async () => {
      const tenant = newId();
      await using provider = await startProvider({ tenantsOf: async () => [{ tenant, label: 'Acme Ltd' }] });
      const visited: URL[] = [];
      const app = createServer((request, response) => {
        visited.push(new URL(request.url ?? '', 'http://127.0.0.1'));
        response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><p>Welcome back</p>');
      });
      await new Promise<void>((resolve) => {
        app.listen(0, '127.0.0.1', resolve);
      });
      const redirect = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
      const client = createClient(provider);
      const registered = await client.register({
        client_name: 'Browser test',
        redirect_uris: [redirect],
        token_endpoint_auth_method: 'none',
      });
      const id = String(registered.body['client_id']);
      const { verifier, challenge } = pkce();
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage({ javaScriptEnabled: false });
        const faults = watch(page);
        const parameters = new URLSearchParams({
          response_type: 'code',
          client_id: id,
          redirect_uri: redirect,
          code_challenge: challenge,
          code_challenge_method: 'S256',
          resource: provider.addresses.mcp,
        });
        await page.goto(`${provider.issuer}/authorize?${parameters}`);
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await page.getByLabel('E-mail address').fill('alice@example.com');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Connect Browser test?' }).waitFor();
        await page.getByLabel('Acme Ltd').check();
        await page.getByRole('button', { name: 'Allow' }).click();
        await page.getByText('Welcome back').waitFor();
        assert.deepEqual(
          faults.filter((fault) => !fault.includes('favicon')),
          [],
        );
      } finally {
        await browser.close();
        app.closeAllConnections();
        app.close();
      }
      const answer = await client.token({
        grant_type: 'authorization_code',
        code: visited[0]?.searchParams.get('code') ?? '',
        code_verifier: verifier,
        client_id: id,
        redirect_uri: redirect,
      });
      assert.equal(answer.status, 200);
    });
  });
}
