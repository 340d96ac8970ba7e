import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorld, type Json, type World } from '@steward/conformance/world';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { SMTPServer } from 'smtp-server';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '') {
  describe('people decide in a browser', () => {
    let world: World;
    let tenant: string;
    let agent: string;
    let browser: Browser;
    let mail: SMTPServer;
    const letters: string[] = [];
    const faults: string[] = [];

    before(async () => {
      const port = await freePort();
      mail = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onData: (stream, _session, done) => {
          let source = '';
          stream.on('data', (chunk) => (source += String(chunk)));
          stream.on('end', () => {
            letters.push(source.replaceAll('=\r\n', '').replaceAll('=3D', '='));
            done();
          });
        },
      });
      await new Promise<void>((resolve) => {
        mail.listen(port, '127.0.0.1', resolve);
      });
      world = await createWorld({ SMTP_URL: `smtp://127.0.0.1:${port}` });
      ({ tenant } = await world.signUp('owner@example.com', 'Fjord <b>Bikes</b>'));
      agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1' });
      const approver = await world.token({ user: 'owner@example.com', approver: true });
      const policy = await rest('GET', '/approval-policy', approver);
      await rest('PUT', '/approval-policy', approver, { ...policy, soleApprover: true });
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    after(async () => {
      await browser.close();
      await world[Symbol.asyncDispose]();
      await new Promise<void>((resolve) => {
        mail.close(resolve);
      });
    });

    const rest = async (method: string, path: string, token: string, body?: unknown): Promise<Json> =>
      (
        await world.call(`${world.server.addresses.portal}/api${path}`, {
          token,
          tenant,
          method,
          ...(body === undefined ? {} : { body }),
        })
      ).body;
    const call = async (name: string, args: unknown, token = agent): Promise<Json> => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const answer = await world.call(`${world.server.addresses.mcp}/p/accounting`, { token, tenant, body });
      return answer.body['result']?.['structuredContent'] ?? answer.body;
    };
    const pending = async (name: string, args: unknown, token = agent): Promise<string> => {
      const asked = await call(name, args, token);
      assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
      return String(asked['pending_action_id']);
    };
    const stateOf = async (id: string): Promise<string> =>
      String((await rest('GET', `/pending-actions/${id}`, agent))['state']);
    const entry = (narration: string, memo?: string) => ({
      date: '2026-03-01',
      currency: 'USD',
      narration,
      lines: [
        { account: '1000', debit: '100.00', ...(memo === undefined ? {} : { memo }) },
        { account: '3000', credit: '100.00' },
      ],
    });
    const urlOf = (id: string): string => `${world.server.addresses.portal}/approvals/${id}?plain`;
    const someone = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> =>
      browser.newContext(options);
    const open = async (context: BrowserContext, url: string): Promise<Page> => {
      const page = await context.newPage();
      page.on('console', (message) => {
        // A refusal that the page explains is an error to the browser.
        if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(String(error)));
      await page.goto(url);
      return page;
    };
    const signIn = async (page: Page, email = 'owner@example.com'): Promise<void> => {
      await page.getByRole('button', { name: /^Sign in/ }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.keyboard.press('Enter');
      await page.getByText(`Signed in as ${email}`).waitFor();
    };
    const accessible = async (page: Page): Promise<void> => {
      await page.evaluate(axe.source).catch(async () => page.addScriptTag({ content: axe.source }));
      const found = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
        return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      assert.deepEqual(
        found.filter((one) => /^(serious|critical)/.test(one)),
        [],
      );
    };

    test('an owner alone is told why a payment waits, and lets the only approver decide', async () => {
      const approver = await world.token({ user: 'owner@example.com', approver: true });
      const policy = await rest('GET', '/approval-policy', approver);
      await rest('PUT', '/approval-policy', approver, { ...policy, soleApprover: false });
      const party = await call('service_create_party', { name: 'Landlord', supplier: true });
      const id = await pending('service_record_payment', {
        direction: 'made',
        party_id: String(party['data']?.['party']?.['id']),
        account: '1000',
        date: '2026-03-01',
        currency: 'USD',
        amount: '900.00',
      });
      await using context = await someone();
      const page = await open(context, urlOf(id));
      await signIn(page);
      const approve = page.getByRole('button', { name: 'Approve what is shown here' });
      await approve.click();
      await page
        .getByRole('alert')
        .getByText('1 of 2: now another person must approve. There is no other who may.')
        .waitFor();
      assert.equal(await stateOf(id), 'pending');
      await page.getByRole('alert').getByText('only one member of the organization may approve it').waitFor();
      await page.getByText('You have approved this already; now another person must.').waitFor();
      assert.equal(await approve.count(), 0);
      await using later = await someone();
      const list = await open(later, `${world.server.addresses.portal}/approvals`);
      await signIn(list);
      await list.getByRole('listitem').getByText('You have approved this already').waitFor();
      await accessible(page);
      await page.getByRole('button', { name: 'Allow the only approver to decide alone' }).click();
      await page.getByRole('alert').getByText('Nothing was approved by that').waitFor();
      assert.equal(await stateOf(id), 'pending');
      await approve.click();
      await page.getByRole('alert').getByText('Something has changed since you looked').waitFor();
      await approve.click();
      await page.getByRole('alert').getByText('Approved and carried out.').waitFor();
      assert.equal(await stateOf(id), 'executed');
    });

    test('whose role does not decide sees it, and is offered no decision', async () => {
      const approver = await world.token({ user: 'owner@example.com', approver: true });
      const { secret } = await rest('POST', '/invitations', approver, {
        email: 'clerk@example.com',
        role: 'accountant',
      });
      await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
        token: await world.token({ user: 'clerk@example.com' }),
        body: { secret },
      });
      const token = await world.token({ user: 'clerk@example.com', agent: 'assistant-2' });
      const id = await pending('service_post_journal_entry', entry('Only seen'), token);
      const members = (await rest('GET', '/members', approver))['items'] as unknown as readonly Json[];
      const clerk = members.find(({ email }) => String(email) === 'clerk@example.com');
      const path = `/members/user/${encodeURIComponent(String(clerk?.['principalId']))}`;
      await rest('PATCH', path, approver, { role: 'viewer' });
      await using context = await someone();
      const page = await open(context, urlOf(id));
      await signIn(page, 'clerk@example.com');
      await page.getByText('Your role lets you see this. Others decide about it.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^(Approve|Reject)/ }).count(), 0);
      // The tests behind this one know the owner alone.
      await rest('DELETE', path, approver);
    });

    test('what can no longer happen is told with the reason, and can only be rejected', async () => {
      const { data } = await call('service_create_party', { name: 'Tenant', customer: true });
      const { data: made } = await call('service_create_invoice', {
        party_id: String(data?.['party']?.['id']),
        issue_date: '2026-03-02',
        lines: [{ description: 'Rent', unit_price: '100', account: '4000' }],
      });
      const issue = { document_id: String(made?.['document']?.['id']) };
      const [first, second] = [
        await pending('service_issue_document', issue),
        await pending('service_issue_document', issue),
      ];
      await using context = await someone();
      const page = await open(context, urlOf(first));
      await signIn(page);
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.getByRole('alert').getByText('Approved and carried out.').waitFor();
      await using later = await someone();
      const other = await open(later, urlOf(second));
      await signIn(other);
      await other.getByRole('button', { name: /^Approve/ }).click();
      const told = /Nothing was decided. As things are now, this can no longer happen: The document/;
      await other.getByRole('alert').getByText(told).waitFor();
      assert.equal(await other.getByRole('button', { name: /^Approve/ }).count(), 0);
      assert.equal(await other.getByText('Change it before approving').count(), 0);
      await accessible(other);
      await other.getByLabel('Reason (the proposer sees it)').fill('It is issued.');
      await other.getByRole('button', { name: 'Reject' }).click();
      await other.getByRole('alert').getByText('Rejected. The proposer sees the reason.').waitFor();
      assert.equal(await stateOf(second), 'rejected');
    });

    test('an owner invites somebody on the page, who becomes a member on it, and hands over what an agent had proposed', async () => {
      const home = `${world.server.addresses.portal}/approvals`;
      await using context = await someone();
      const page = await open(context, home);
      await signIn(page);
      await page.getByText('Invite somebody').click();
      await page.getByLabel('E-mail address').fill('nina@example.com');
      await page.getByLabel('Role').selectOption('viewer');
      await accessible(page);
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const secret = await page.locator('dd code').textContent();
      await using hers = await someone();
      const other = await open(hers, home);
      await signIn(other, 'nina@example.com');
      await other.getByText('You belong to no organization.').waitFor();
      await other.getByText('I was invited').click();
      const enter = async (given: string): Promise<void> => {
        await other.getByLabel('Secret that you were given').fill(given);
        await other.getByRole('button', { name: 'Become a member' }).click();
      };
      await enter('a guess');
      await other.getByRole('alert').getByText('No open invitation has this secret').waitFor();
      await accessible(other);
      await enter(String(secret));
      await other.getByText('as viewer').waitFor();

      const invited = { email: 'later@example.com', role: 'viewer' };
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_invite_member', arguments: invited },
      };
      const asked = (await world.call(world.server.addresses.mcp, { token: agent, tenant, body })).body;
      const id = String(asked['result']?.['structuredContent']?.['pending_action_id']);
      await using later = await someone();
      const decided = await open(later, urlOf(id));
      await signIn(decided);
      await decided.getByText('Would invite later@example.com as viewer, who reads').waitFor();
      await decided.getByRole('button', { name: 'Approve what is shown here' }).click();
      await decided.getByRole('alert').getByText('Approved and carried out.').waitFor();
      await decided.getByText('Hand over the invitation').click();
      await decided.getByRole('button', { name: 'Make the secret to hand over' }).click();
      const handed = await decided.locator('dd code').textContent();
      await accessible(decided);
      const accepted = await world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
        token: await world.token({ user: 'later@example.com' }),
        body: { secret: handed },
      });
      assert.equal(accepted.status, 200);
      assert.deepEqual(faults, []);
    });

    test('the link in the mail leads to the payment that an agent asks for, and to its approval', async () => {
      const party = await call('service_create_party', { name: 'Spokes & Co', supplier: true });
      const id = await pending('service_record_payment', {
        direction: 'made',
        party_id: String(party['data']?.['party']?.['id']),
        account: '1000',
        date: '2026-03-01',
        currency: 'USD',
        amount: '1250.00',
      });
      for (let round = 0; !letters.some((letter) => letter.includes(id)); round += 1) {
        assert.ok(round < 400, 'the mail never came');
        await sleep(25);
      }
      const link = /http\S+\/approvals\/\S+/.exec(letters.find((letter) => letter.includes(id)) ?? '')?.[0] ?? '';
      // To the console, where there is one, with the action in the address; the page here stays.
      await using visiting = await someone();
      await (await open(visiting, link)).waitForURL(`**/console/approvals/${id}`);
      await using context = await someone();
      const page = await open(context, urlOf(id));
      await page.getByText('Opening this page has decided nothing').waitFor();
      await accessible(page);
      await signIn(page);
      await page.getByRole('heading', { name: 'Record a payment', level: 1 }).waitFor();
      const main = page.locator('main');
      for (const words of ['1250.00 USD', 'Fjord <b>Bikes</b>', 'through the agent', 'assistant-1', '0 of 2'])
        await main.getByText(words).first().waitFor();
      assert.equal(
        await page.getByRole('region', { name: 'Balances before and after' }).getByRole('row').count(),
        3,
        'the head, the bank and payables',
      );
      assert.equal(page.url(), urlOf(id), 'neither code nor token is left in the address');
      assert.deepEqual(
        await page.evaluate(() => [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]),
        ['{}', '{}'],
      );
      await accessible(page);
      assert.equal(await stateOf(id), 'pending');
      await page.getByRole('button', { name: 'Approve what is shown here' }).click();
      await main.getByText('Approved and carried out.').waitFor();
      assert.equal(await stateOf(id), 'executed');
      assert.deepEqual(faults, []);
    });

    test('what an agent wrote is shown as it is and does nothing, on a phone as well', async () => {
      const attack = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
      const bidi = 'pay \u202Eevila ot\u202C now\u200B!';
      const id = await pending('service_post_journal_entry', entry(`${attack} ${bidi}`, 'x'.repeat(500)));
      await using context = await someone({ viewport: { width: 360, height: 740 } });
      const page = await open(context, urlOf(id));
      await signIn(page);
      await page.getByRole('heading', { name: 'Post a journal entry', level: 1 }).waitFor();
      await page.getByText('<img src=x onerror=').first().waitFor();
      assert.equal(await page.locator('main img, main script').count(), 0);
      assert.match(await page.title(), /^Post a journal entry/);
      const shown = await page.locator('main').textContent();
      assert.ok(shown?.includes('U+202E') === true && !/[\u202A-\u202E\u2066-\u2069\u200B]/.test(shown));
      const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok((wide ?? 0) <= (window ?? 0), `the page is ${wide} wide in a window of ${window}`);
      await accessible(page);
      const long = await pending('service_post_journal_entry', entry('y'.repeat(1999)));
      await page.goto(urlOf(long));
      await page.getByRole('button', { name: /^Sign in/ }).click();
      await page.getByText('scroll to read all of them').first().waitFor();
      assert.ok((await page.locator('main').textContent())?.includes('y'.repeat(1999)));
      assert.deepEqual(faults, []);
    });

    test('a second tab’s decision is answered with what the first has come to', async () => {
      const id = await pending('service_post_journal_entry', entry('Twice'));
      await using context = await someone();
      const first = await open(context, urlOf(id));
      await signIn(first);
      const second = await open(context, urlOf(id));
      await second.getByRole('button', { name: 'Sign in' }).click();
      await second.getByText('Signed in as').waitFor();
      await first.getByText('Reject it').click();
      await first.getByLabel('Reason (the proposer sees it)').fill('Not now <b>');
      await first.getByRole('button', { name: 'Reject' }).click();
      await first.getByText('Rejected. The proposer sees the reason.').first().waitFor();
      await second.getByRole('button', { name: 'Approve what is shown here' }).click();
      await second.getByText('This was decided already, so your decision was not counted').first().waitFor();
      await second.getByText('Not now <b>').waitFor();
      assert.equal(await stateOf(id), 'rejected');
      assert.deepEqual(faults, []);
    });

    test('changing it shows what that would do and what was changed, and approving counts for that', async () => {
      const id = await pending('service_post_journal_entry', entry('Typo'));
      await using context = await someone();
      const page = await open(context, urlOf(id));
      await signIn(page);
      await page.getByText('Change it before approving').click();
      const box = page.getByLabel('What is asked for, as JSON');
      await box.fill('{');
      await page.getByRole('button', { name: 'Show what that would do' }).click();
      await page.getByText('This is not JSON').waitFor();
      await box.fill(JSON.stringify({ ...entry('Mended'), date: '2026-02-31' }));
      await page.getByRole('button', { name: 'Show what that would do' }).click();
      await page.getByText('The arguments are not valid: /arguments/date: ').waitFor();
      await box.fill(JSON.stringify(entry('Mended')));
      await page.getByRole('button', { name: 'Show what that would do' }).click();
      await page.getByText('Changed, and not approved yet').first().waitFor();
      await page.getByRole('region', { name: 'What was changed' }).getByText('/narration').waitFor();
      assert.equal(await stateOf(id), 'pending');
      await accessible(page);
      await page.getByRole('button', { name: 'Approve what is shown here' }).click();
      await page.getByText('Approved and carried out.').first().waitFor();
      const entries = await call('service_list_journal_entries', { limit: 1 });
      assert.equal(String(entries['data']?.['entries']?.[0 as never]?.['narration']), 'Mended');
      assert.deepEqual(faults, []);
    });

    test('what changed after it was shown is not approved but shown anew', async () => {
      const id = await pending('service_post_journal_entry', entry('Seen'));
      await using context = await someone();
      const page = await open(context, urlOf(id));
      await signIn(page);
      const approver = await world.token({ user: 'owner@example.com', approver: true });
      const { previewHash } = await rest('GET', `/pending-actions/${id}`, approver);
      const other = { previewHash, arguments: entry('Another'), approve: false };
      await rest('POST', `/pending-actions/${id}/edit`, approver, other);
      await page.getByRole('button', { name: 'Approve what is shown here' }).click();
      await page.getByText('Something has changed since you looked, so nothing was decided').first().waitFor();
      await page.getByText('Another').first().waitFor();
      assert.equal(await stateOf(id), 'pending');
    });

    test('a login of more than 15 minutes ago decides nothing and is asked for again', async () => {
      const id = await pending('service_post_journal_entry', entry('Late'));
      await using context = await someone();
      const page = await open(context, urlOf(id));
      const old = await aged(world, await world.token({ user: 'owner@example.com', approver: true }));
      await page.route('**/idp/token', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as Record<string, unknown>;
        await route.fulfill({ response: answer, json: { ...body, access_token: old } });
      });
      await signIn(page);
      await page.unroute('**/idp/token');
      await page.getByRole('button', { name: 'Approve what is shown here' }).click();
      await page.getByText('You signed in more than 15 minutes ago').waitFor();
      assert.equal(await stateOf(id), 'pending');
      await signIn(page);
      await page.getByRole('button', { name: 'Approve what is shown here' }).click();
      await page.getByText('Approved and carried out.').first().waitFor();
    });

    test('the list shows what awaits, by keyboard alone, and a stranger sees nothing of it', async () => {
      const id = await pending('service_post_journal_entry', entry('Listed'));
      await using context = await someone();
      const page = await open(context, `${world.server.addresses.portal}/approvals`);
      await signIn(page);
      await page.getByText('Listed').first().waitFor();
      await accessible(page);
      const link = page.getByRole('listitem').filter({ hasText: 'Listed' }).getByRole('link');
      await link.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Post a journal entry', level: 1 }).waitFor();
      assert.equal(page.url(), urlOf(id));
      await page.goBack();
      await page.getByRole('heading', { name: 'Actions that await decisions' }).waitFor();
      await using elsewhere = await someone();
      const stranger = await open(elsewhere, urlOf(id));
      await signIn(stranger, 'stranger@example.com');
      await stranger.getByRole('heading', { name: 'There is nothing here for you' }).waitFor();
      assert.ok(!(await stranger.content()).includes('Listed'));
      assert.deepEqual(faults, []);
    });

    test('an answer that this page did not ask for signs nobody in', async () => {
      await using context = await someone();
      const page = await open(context, `${world.server.addresses.portal}/approvals/signed-in?code=stolen&state=forged`);
      await page.getByText('That sign-in was not begun here.').waitFor();
      assert.equal(page.url(), `${world.server.addresses.portal}/approvals`);
    });
  });
}

/** The same token of a login that was made 20 minutes ago. */
async function aged(world: World, token: string): Promise<string> {
  const [head, body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { auth_time: number };
  const changed = Buffer.from(JSON.stringify({ ...claims, auth_time: claims.auth_time - 1200 })).toString('base64url');
  const { keys } = JSON.parse(await readFile(join(world.dataDir, 'idp', 'keys.json'), 'utf8')) as {
    keys: [Record<string, string>];
  };
  const key = createPrivateKey({ key: keys[0], format: 'jwk' });
  const signature = sign('sha256', Buffer.from(`${head}.${changed}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${head}.${changed}.${signature.toString('base64url')}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
