import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '@steward/conformance/world';
import type { Locator, Page } from 'playwright-core';
import { openSeeded, type Seeded } from '../../fixtures/browser.ts';
import { logInFrom } from '../../fixtures/log-in-again.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const owner = 'alice@example.com';
const second = 'second@example.com';

if (executablePath !== '')
  describe('people decide in the console', () => {
    let seeded: Seeded;
    let agent: string;
    let approver: string;
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 4, products: 3 });
      agent = await seeded.world.token({ user: owner, agent: 'assistant-1' });
      approver = seeded.owner;
    });
    after(async () => seeded[Symbol.asyncDispose]());

    const rest = async (method: string, path: string, token = approver, body?: unknown): Promise<Json> => {
      const { world, tenant } = seeded;
      const url = `${world.server.addresses.portal}/api${path}`;
      const answer = await world.call(url, { token, tenant, method, ...(body === undefined ? {} : { body }) });
      assert.ok(answer.status < 300, `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const entry = (narration: string, memo?: string) => ({
      date: new Date().toISOString().slice(0, 10),
      currency: 'EUR',
      narration,
      lines: [
        { account: '6950', debit: '85.00', ...(memo === undefined ? {} : { memo }) },
        { account: '1590', credit: '85.00' },
      ],
    });
    /** What an agent proposes: the action's id. */
    const pending = async (args: object): Promise<string> => {
      const { world, tenant } = seeded;
      const params = { name: 'service_post_journal_entry', arguments: args };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const answer = await world.call(`${world.server.addresses.mcp}/p/accounting`, { token: agent, tenant, body });
      const id = answer.body['result']?.['structuredContent']?.['pending_action_id'];
      assert.ok(id !== undefined, JSON.stringify(answer.body));
      return String(id);
    };
    const stateOf = async (id: string): Promise<string> =>
      String((await rest('GET', `/pending-actions/${id}`, agent))['state']);
    const describedBy = async (page: Page): Promise<string> =>
      page
        .locator('section[aria-labelledby=decide] button[aria-describedby]')
        .evaluate(
          (button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
        );
    const approve = (page: Page) => page.getByRole('button', { name: 'Approve what is shown here' });
    /** The page knows that somebody logged in afresh. */
    const mayDecide = async (page: Page): Promise<void> =>
      page.locator('[data-holds=true]', { hasText: 'You are logged in afresh' }).waitFor();
    test('the address of a mail leads to the action; a fresh login sends nothing by itself, keeps the draft, and then approving carries it out', async () => {
      const id = await pending(entry('Approved in the console'));
      await using looked = await seeded.open();
      const { page } = looked;
      await page.goto(`${seeded.world.server.addresses.portal}/approvals/${id}`);
      await page.waitForURL(`${seeded.origin}/o/${seeded.tenant}/approvals/${id}`);
      await page.getByText('6950 Depreciation').first().waitFor();
      await page.getByText('Balances as of').waitFor();
      await page.getByText('This agent’s first with this tool').waitFor();
      await page.locator('summary', { hasText: 'Reject it' }).click();
      await page.getByLabel('Reason').fill('Not sure yet');
      await logInFrom(page, approve(page));
      await page.getByText('You are logged in afresh, and nothing was sent.').waitFor();
      await mayDecide(page);
      assert.equal(await stateOf(id), 'pending');
      assert.equal(await page.getByLabel('Reason').inputValue(), 'Not sure yet');
      await approve(page).click();
      await page.getByText('Approved and carried out.').waitFor();
      assert.equal(await stateOf(id), 'executed');
      await page.getByRole('link', { name: 'The plain page of this action' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/portal/approvals/${id}`);
    });

    test('calls what people decide about by the words of their language, and says which sentence is English', async () => {
      const id = await pending(entry('Abschreibung'));
      await using looked = await seeded.open({ locale: 'de-DE' });
      const { page } = looked;
      await looked.go(`/approvals/${id}`);
      await page.getByText('6950 Depreciation').first().waitFor();
      await page.locator('[lang=en]', { hasText: 'Would post' }).waitFor();
      const labels = await page.locator('dl dt, th').allInnerTexts();
      for (const german of ['Buchungstext', 'Währung', 'Datum', 'Soll', 'Haben'])
        assert.ok(labels.includes(german), `${german}: ${labels.join(', ')}`);
      for (const english of ['Narration', 'Currency', 'Date', 'Debit', 'Credit', 'Account', 'Amount'])
        assert.ok(!labels.includes(english), `${english}: ${labels.join(', ')}`);
      assert.match(await page.locator('main').innerText(), /Konto: 6950 Depreciation/);
      await rest('POST', `/pending-actions/${id}/reject`, approver, { reason: 'No' });
      assert.deepEqual(looked.faults, []);
    });

    test('nobody is asked to decide once more about what was decided meanwhile, in another tab or by somebody else', async () => {
      const id = await pending(entry('Approved elsewhere'));
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go(`/approvals/${id}`);
      await logInFrom(page, approve(page));
      const fresh = page.getByText('You are logged in afresh, and nothing was sent.');
      await fresh.waitFor();
      const { previewHash } = await rest('GET', `/pending-actions/${id}`);
      await rest('POST', `/pending-actions/${id}/approve`, approver, { previewHash });
      await page.getByText('Decided by').waitFor();
      assert.equal(await fresh.count(), 0);
    });

    test('the button says before it is pressed whether a fresh login is asked for, in each language, and nothing moves when that changes', async () => {
      const id = await pending(entry('Told before'));
      const texts = { en: /fresh login/, de: /neue Anmeldung/, es: /iniciar sesión de nuevo/, ja: /再ログインを求め/ };
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      for (const [language, first] of Object.entries(texts)) {
        await page.evaluate((one) => localStorage.setItem('language', one), language);
        await looked.go(`/approvals/${id}`);
        assert.match(await describedBy(page), first);
      }
      const placeOf = async (): Promise<number | undefined> =>
        (
          await page
            .locator('summary')
            .last()
            .boundingBox()
            .catch(() => null)
        )?.y;
      const before = await placeOf();
      // Somebody logs in afresh in another tab, and this one learns it when it is looked at.
      const tab = await page.context().newPage();
      await tab.goto(`${seeded.origin}/console/step-up?to=/`);
      await tab.locator('input[name=email]').fill(owner);
      await tab.locator('button[value=login]').click();
      await tab.waitForURL((url) => url.origin === seeded.origin && !url.pathname.startsWith('/console'));
      await tab.close();
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await page.getByText('再ログイン済みです', { exact: false }).and(page.locator('[data-holds=true]')).waitFor();
      assert.match(await describedBy(page), /再ログイン済みです/);
      assert.equal(await placeOf(), before);
      assert.equal(await stateOf(id), 'pending');
      await rest('POST', `/pending-actions/${id}/reject`, approver, { reason: 'A test' });
    });

    test('on a phone that opens no window, the first press goes to the login and comes back to the action with what was typed; the second one decides', async () => {
      const id = await pending(entry('Rejected on a phone'));
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      const decisions: string[] = [];
      page.on('request', (request) => {
        if (/\/pending-actions\/[^/]+\/\w+$/.test(request.url()) && request.method() === 'POST')
          decisions.push(request.url());
      });
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await looked.go(`/approvals/${id}`);
      const reject = page.getByRole('button', { name: 'Reject', exact: true });
      await page.locator('summary', { hasText: 'Reject it' }).click();
      await page.getByLabel('Reason').fill('Not ours');
      await reject.click();
      await page.locator('input[name=email]').fill(owner);
      await page.locator('button[value=login]').click();
      await page.waitForURL(`${seeded.origin}/o/${seeded.tenant}/approvals/${id}`);
      await mayDecide(page);
      assert.equal(await page.getByLabel('Reason').inputValue(), 'Not ours');
      assert.deepEqual(decisions, []);
      await reject.click();
      await page.getByText('Rejected. The proposer sees the reason.').waitFor();
      assert.equal(await stateOf(id), 'rejected');
      assert.deepEqual(looked.faults, []);
    });

    test('deciding on a phone takes at most four taps from the link of the letter on, with a fresh login', async () => {
      const id = await pending(entry('Decided on a phone'));
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      const taps: string[] = [];
      await page.context().exposeBinding('tellTap', (_source, on: string) => void taps.push(on));
      await page.context().addInitScript(() => {
        const { tellTap } = globalThis as unknown as { tellTap: (on: string) => void };
        addEventListener(
          'click',
          ({ isTrusted, target }) => {
            if (isTrusted) tellTap((target as Element | null)?.textContent ?? '');
          },
          true,
        );
      });
      // The first one is on the link, in the letter.
      await page.goto(`${seeded.world.server.addresses.portal}/approvals/${id}`);
      await logInFrom(page, approve(page));
      await mayDecide(page);
      await approve(page).click();
      await page.getByText('Approved and carried out.').waitFor();
      assert.equal(await stateOf(id), 'executed');
      assert.ok(taps.length > 0 && 1 + taps.length <= 4, taps.join(' | '));
    });

    test('what was carried out leads to what came of it: a credit note, an invitation, and to its event where a setting has no page', async () => {
      const { world, tenant } = seeded;
      const { items } = await rest('GET', '/pending-actions?state=pending&limit=100');
      const waiting = items as unknown as readonly { id: string; tool: string; previewHash: string }[];
      const carriedOut = async (tool: string): Promise<Json> => {
        const { id, previewHash } = waiting.find((one) => one.tool === tool) ?? assert.fail(`no ${tool} waits`);
        return rest('POST', `/pending-actions/${id}/approve`, approver, { previewHash });
      };
      const refunded = await carriedOut('service_refund_order');
      const invited = await carriedOut('service_invite_member');
      const changed = await carriedOut('service_update_payment_settings');
      const { id: refund, order_id: order } = refunded['result']?.['data']?.['refund'] ?? {};
      const bookedAs = async (): Promise<string | undefined> => {
        const url = `${world.server.addresses.commerce}/api/order-postings?orderId=${String(order)}`;
        const { body } = await world.call(url, { token: approver, tenant });
        const postings = body['items'] as unknown as readonly { sourceId: string; documentId: string | null }[];
        return postings.find(({ sourceId }) => sourceId === String(refund))?.documentId ?? undefined;
      };
      let note = await bookedAs();
      for (; note === undefined; note = await bookedAs()) await new Promise((resolve) => setTimeout(resolve, 200));
      await using looked = await seeded.open();
      const { page } = looked;
      const made = async ({ id }: Json, name: string): Promise<string> => {
        await looked.go(`/approvals/${String(id)}`);
        const link = page.locator('main dl').getByRole('link', { name, exact: true });
        return (await link.getAttribute('href')) ?? '';
      };
      assert.ok((await made(refunded, 'Document')).endsWith(`/money/documents/${note}`));
      assert.ok((await made(invited, 'Invitation')).endsWith('/settings'));
      await page.getByText('Whoever approved it makes the secret to hand over.').first().waitFor();
      assert.match(await made(changed, 'In the log'), /\/activity\?correlation_id=/);
      assert.deepEqual(looked.faults, []);
    });

    test('what an agent proposes is on every page that is open, and counted in the navigation, without being asked for', async () => {
      await using home = await seeded.open();
      await using inbox = await seeded.open({ width: 360 });
      await home.go('/');
      await inbox.go('/approvals');
      const said = entry('Arrives while somebody looks');
      const id = await pending(said);
      await Promise.all([home, inbox].map(async ({ page }) => page.locator(`main a[href$="${id}"]`).first().waitFor()));
      const counts = [home, inbox].map(({ page }) =>
        page.getByRole('navigation', { name: 'Pages' }).getByText(/^\d+ to decide$/),
      );
      await Promise.all(counts.map(async (count) => count.waitFor()));
      const { previewHash } = await rest('GET', `/pending-actions/${id}`);
      await rest('POST', `/pending-actions/${id}/approve`, approver, { previewHash });
      for (const { page, faults } of [home, inbox]) {
        await page.locator(`main a[href$="${id}"]`).first().waitFor({ state: 'detached' });
        assert.deepEqual(faults, []);
      }
    });

    test('what takes two people waits for the other one after the first', async () => {
      const { secret } = await rest('POST', '/invitations', approver, { email: second, role: 'accountant' });
      await rest('POST', '/invitations/accept', await seeded.world.token({ user: second }), { secret });
      const policy = await rest('GET', '/approval-policy');
      const tools = { service_post_journal_entry: { fourEyes: true } };
      await rest('PUT', '/approval-policy', approver, { ...policy, tools });
      const id = await pending(entry('By two people'));
      for (const [email, told] of [
        [owner, 'Your approval counts, 1 of 2: now another person must approve.'],
        [second, 'Approved and carried out.'],
      ] as const) {
        await using looked = await seeded.open({ as: email });
        const { page } = looked;
        await looked.go(`/approvals/${id}`);
        await page.getByText('Takes two people').waitFor();
        const toDecide = (text: RegExp | string) =>
          page.getByRole('navigation', { name: 'Pages' }).getByText(text, { exact: true });
        const counted = (await toDecide(/^\d+ to decide$/).textContent()) ?? '';
        await logInFrom(page, approve(page), { email });
        await mayDecide(page);
        await approve(page).click();
        await page.getByText(told).waitFor();
        if (email === owner) {
          await page.getByText('You have approved this already; now another person must approve it.').waitFor();
          assert.equal(await approve(page).count(), 0);
          assert.equal(await stateOf(id), 'pending');
          const left = Number.parseInt(counted, 10) - 1;
          await looked.go('/');
          assert.equal(await page.locator(`main a[href$="${id}"]`).count(), 0);
          await (left === 0
            ? toDecide(/^\d+ to decide$/).waitFor({ state: 'detached' })
            : toDecide(`${left} to decide`).waitFor());
        }
      }
      assert.equal(await stateOf(id), 'executed');
      const changed = await rest('GET', '/approval-policy');
      await rest('PUT', '/approval-policy', approver, { ...changed, tools: {} });
    });

    test('what a person proposes, and what a standing rule approved, is said by who did', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const proposal = { tool: 'service_post_journal_entry', arguments: entry('By a person') };
      const id = String((await rest('POST', '/pending-actions', approver, proposal))['id']);
      await looked.go('/');
      const item = page.locator(`main a[href$="${id}"]`);
      await item.waitFor();
      assert.match((await item.textContent()) ?? '', /alice/i);
      assert.match((await item.textContent()) ?? '', /€85\.00/);
      assert.doesNotMatch((await item.textContent()) ?? '', /u_[a-z0-9]/i);
      await looked.go(`/approvals/${id}`);
      await page.getByText('This person’s first with this tool').waitFor();
      assert.equal(await page.getByText('This agent’s first').count(), 0);
      const tables = (await page.locator('main table').allInnerTexts()).join();
      assert.match(tables, /€85\.00/);
      assert.doesNotMatch(tables, /EUR/);
      const { correlationId } = await rest('GET', `/pending-actions/${id}`);
      await looked.go(`/activity?correlation_id=${encodeURIComponent(String(correlationId))}`);
      await page.getByRole('link', { name: /· A person asked for it$/ }).waitFor();
      assert.equal(await page.getByText('An agent asked for it').count(), 0);
      const rule = await rest('POST', '/standing-rules', approver, {
        tool: proposal.tool,
        upTo: { amount: '500.00', currency: 'EUR' },
        validUntil: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const params = { name: proposal.tool, arguments: entry('By a rule') };
      const { world, tenant } = seeded;
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      await world.call(`${world.server.addresses.mcp}/p/accounting`, { token: agent, tenant, body });
      const { items } = (await rest('GET', `/pending-actions?tool=${proposal.tool}&limit=1`)) as unknown as {
        items: { id: string; correlationId: string; ruleId: string | null }[];
      };
      const [done] = items;
      assert.equal(done?.ruleId, rule['id']);
      await looked.go(`/activity?correlation_id=${encodeURIComponent(done?.correlationId ?? '')}`);
      await page.getByRole('link', { name: /· A standing rule approved it$/ }).waitFor();
      assert.equal(await page.getByText('It was approved').count(), 0);
      await looked.go(`/approvals/${done?.id}`);
      await page.getByRole('link', { name: 'a standing rule' }).click();
      await page.getByRole('button', { name: 'Show all rules' }).waitFor();
      await page.getByRole('table', { name: 'Standing rules' }).getByText('Post a journal entry').waitFor();
      await rest('DELETE', `/standing-rules/${String(rule['id'])}`);
      await rest('POST', `/pending-actions/${id}/reject`, approver, { reason: 'A test' });
      assert.deepEqual(looked.faults, []);
    });

    test('what has changed is not approved: it is shown, and asked again', async () => {
      const id = await pending(entry('Before'));
      const edit = async (narration: string): Promise<Json> => {
        const { previewHash } = await rest('GET', `/pending-actions/${id}`);
        const body = { previewHash, arguments: entry(narration), approve: false };
        return rest('POST', `/pending-actions/${id}/edit`, approver, body);
      };
      await using looked = await seeded.open();
      const { page } = looked;
      // It hears of no edit by itself: whoever is faster than the news is not to approve what they have not seen.
      await page.route('**/console/events/**', () => undefined);
      await looked.go(`/approvals/${id}`);
      await page.getByText('Before', { exact: true }).first().waitFor();
      await logInFrom(page, approve(page), { meanwhile: async () => edit('While somebody logs in') });
      await page.getByText('This has changed while you were looking.').waitFor();
      assert.equal(await approve(page).count(), 0);
      assert.ok((await page.getByText('Before', { exact: true }).count()) > 0);
      await page.getByRole('button', { name: 'Show what it is now' }).click();
      await page.getByRole('heading', { name: 'What people changed' }).waitFor();
      await page.getByText('While somebody logs in').first().waitFor();
      await edit('Behind its back');
      await approve(page).click();
      await page.getByText('Something has changed since you looked, so nothing was decided.').waitFor();
      assert.equal(await stateOf(id), 'pending');
      await page.getByText('Behind its back').first().waitFor();
      await approve(page).click();
      await page.getByText('Approved and carried out.').waitFor();
    });

    test('several at once are approved only when each was looked at to its end', async () => {
      const ids = [await pending(entry('First of two')), await pending(entry('Second of two'))];
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/approvals');
      await page
        .getByRole('link', { name: /^Look at 2 together/ })
        .first()
        .click();
      const boxes = page.getByRole('checkbox');
      await boxes.first().waitFor();
      const last = boxes.nth(1);
      assert.equal(await last.isEnabled(), false);
      for (const box of [boxes.first(), last]) {
        await box.scrollIntoViewIfNeeded();
        await box.check();
      }
      const button = page.getByRole('button', { name: 'Approve the 2 ticked' });
      await logInFrom(page, button);
      await mayDecide(page);
      for (const id of ids) assert.equal(await stateOf(id), 'pending');
      await button.click();
      await page.getByRole('alert').getByText('Carried out').nth(1).waitFor();
      for (const id of ids) assert.equal(await stateOf(id), 'executed');
    });

    test('on a phone that opens no window, several stay ticked over the login, but for what was edited meanwhile', async () => {
      const ids = [await pending(entry('One on a phone')), await pending(entry('Other on a phone'))];
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await looked.go('/approvals/together?tool=service_post_journal_entry&asker=assistant-1');
      const boxOf = (narration: string): Locator =>
        page.locator('section', { hasText: narration }).getByRole('checkbox').first();
      for (const narration of ['One on a phone', 'Other on a phone']) {
        await boxOf(narration).scrollIntoViewIfNeeded();
        await boxOf(narration).check();
      }
      await page.getByRole('button', { name: 'Approve the 2 ticked' }).click();
      await page.locator('input[name=email]').waitFor();
      const [, other = assert.fail()] = ids;
      const { previewHash } = await rest('GET', `/pending-actions/${other}`);
      const edited = { previewHash, arguments: entry('Edited on a phone'), approve: false };
      await rest('POST', `/pending-actions/${other}/edit`, approver, edited);
      await page.locator('input[name=email]').fill(owner);
      await page.locator('button[value=login]').click();
      await page.getByRole('button', { name: 'Approve the one ticked' }).waitFor();
      await mayDecide(page);
      assert.equal(await boxOf('One on a phone').isChecked(), true);
      assert.equal(await boxOf('Edited on a phone').isChecked(), false);
      await page.getByRole('button', { name: 'Approve the one ticked' }).click();
      await page.getByRole('alert').getByText('Carried out').waitFor();
      assert.deepEqual(await Promise.all(ids.map(stateOf)), ['executed', 'pending']);
      await rest('POST', `/pending-actions/${other}/reject`, approver, { reason: 'A test' });
    });

    test('of two proposals that say the same, the one that is ticked is approved', async () => {
      const ids = [await pending(entry('Twin')), await pending(entry('Twin'))];
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/approvals/together?tool=service_post_journal_entry&asker=assistant-1');
      const boxes = page.getByRole('checkbox');
      await boxes.nth(1).waitFor();
      await boxes.first().scrollIntoViewIfNeeded();
      await boxes.first().check();
      assert.equal(await boxes.nth(1).isChecked(), false);
      const button = page.getByRole('button', { name: 'Approve the one ticked' });
      await logInFrom(page, button);
      await mayDecide(page);
      await button.click();
      await page.getByRole('alert').getByText('Carried out').waitFor();
      assert.deepEqual((await Promise.all(ids.map(stateOf))).toSorted(), ['executed', 'pending']);
    });

    test('what a refund of several lines changes is told once, by names, on a page that is read in a minute', async () => {
      const { world, tenant } = seeded;
      interface Order {
        readonly id: string;
        readonly paymentStatus: string;
        readonly number: string;
        readonly lines: readonly { readonly id: string; readonly title: string }[];
      }
      const read = async <T>(path: string): Promise<T> =>
        (await world.call(`${world.server.addresses.commerce}/api${path}`, { token: approver, tenant })).body as T;
      const { items } = await read<{ items: readonly Order[] }>('/orders?limit=50');
      const paid = await Promise.all(
        items.flatMap(({ id, paymentStatus }) => (paymentStatus === 'paid' ? [read<Order>(`/orders/${id}`)] : [])),
      );
      const [order] = paid.toSorted((a, b) => b.lines.length - a.lines.length);
      assert.ok(order !== undefined && order.lines.length > 1, `${order?.lines.length}`);
      const lines = order.lines.map(({ id }) => ({ line_id: id, quantity: 1 }));
      const propose = async (note: string): Promise<Json> =>
        rest('POST', '/pending-actions', approver, {
          tool: 'service_refund_order',
          arguments: { order_id: order.id, reason: 'goodwill', note, lines },
        });
      const action = await propose('Broken on its way');
      await propose('Broken once more');
      const asker = String((action['requestedBy'] as unknown as readonly Json[]).at(-1)?.['id']);
      for (const width of [1280, 360]) {
        await using looked = await seeded.open({ width });
        const { page } = looked;
        const tall = async (most: number): Promise<void> => {
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          assert.ok(height < most, `${height} px tall at ${width}`);
          // A cell is never narrower than a word of a few letters, and nothing is so tall as one letter a line.
          const cells = await page
            .locator('main td:visible, main th:visible')
            .evaluateAll((found) =>
              found.map((cell) => [cell.clientWidth, cell.clientHeight, cell.textContent] as const),
            );
          assert.ok(cells.length > 10);
          // Nothing lies beyond the edge of its table, where nobody looks.
          const tables = await page
            .getByRole('group', { name: 'Table' })
            .evaluateAll((found) => found.map((table) => table.scrollWidth - table.clientWidth));
          assert.deepEqual(
            tables.filter((beyond) => beyond > 0),
            [],
            `at ${width}`,
          );
          assert.deepEqual(
            cells.filter(([wide, high]) => wide < 32 || high > 100),
            [],
          );
        };
        await looked.go(`/approvals/${String(action['id'])}`);
        await page.getByText('goodwill: Broken on its way').waitFor();
        const changes = page.getByRole('row').filter({ hasText: ' · Refunded' });
        assert.equal(await changes.count(), order.lines.length);
        assert.equal(
          await page
            .getByText(/\/commerce\/media\//)
            .locator('visible=true')
            .count(),
          0,
        );
        await tall(width === 360 ? 3_500 : 3_000);
        const stays = page.locator('details > summary', { hasText: /^What stays as it is: \d+ things$/ });
        await stays.click();
        await page.locator('summary', { hasText: `Order: ${order.number}` }).waitFor();
        await looked.go(`/approvals/together?tool=service_refund_order&asker=${encodeURIComponent(asker)}`);
        await page.getByRole('checkbox').nth(1).waitFor();
        await tall(7_000);
        assert.deepEqual(looked.faults, []);
      }
    });

    test('words of an agent are text, whatever they are made of', async () => {
      const hostile = `<img src=x onerror=tellFault('ran')>\u202Ereversed\u200Bhidden`;
      const { lines, ...rest } = entry(hostile);
      // Ten kilobytes of one letter, in pieces as long as a memo may be, and a narration that is as long as it may be.
      const many = Array.from({ length: 10 }, () => lines.map((line) => ({ ...line, memo: 'm'.repeat(500) }))).flat();
      const id = await pending({ ...rest, lines: many });
      const long = await pending(entry('n'.repeat(1_999)));
      await using looked = await seeded.open({ width: 360 });
      const { page, faults } = looked;
      await looked.go('/approvals');
      await page.getByText('<img src=x').first().waitFor();
      const fits = async (): Promise<void> => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} px wider than the window`);
        const text = (await page.locator('main').textContent()) ?? '';
        assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u200B]/);
      };
      await fits();
      await looked.go(`/approvals/${long}`);
      assert.ok((await page.locator('main').textContent())?.includes('n'.repeat(1_999)));
      await fits();
      await looked.go(`/approvals/${id}`);
      await page.getByText('<img src=x').first().waitFor();
      await fits();
      await page.getByTitle('A hidden character, U+202E').first().waitFor();
      await page.getByTitle('A hidden character, U+200B').first().waitFor();
      assert.equal(await page.locator('main img').count(), 0);
      assert.deepEqual(faults, []);
    });

    test('Home calls what was asked for by its title in English too, when it waits no more', async () => {
      const { world, tenant } = seeded;
      const tool = 'service_invite_member';
      const params = { name: tool, arguments: { email: 'carol@example.com', role: 'viewer' } };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      await world.call(`${world.server.addresses.mcp}/p/portal`, { token: agent, tenant, body });
      const { items } = await rest('GET', `/pending-actions?tool=${tool}&state=pending`);
      for (const { id } of items as unknown as readonly { id: string }[])
        await rest('POST', `/pending-actions/${id}/reject`, approver, { reason: 'A test' });
      await using looked = await seeded.open();
      await looked.go('/');
      await looked.page
        .getByRole('link', { name: /^Invite somebody · An agent asked for it/ })
        .first()
        .waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('what is proposed is changed and rejected; who is alone allows to be enough; a secret is handed over', async () => {
      const changed = await pending(entry('To be changed'));
      await using looked = await seeded.open({ deciding: true });
      const { page } = looked;
      await looked.go(`/approvals/${changed}`);
      await page.locator('summary', { hasText: 'Change it' }).click();
      const json = page.getByLabel('What is asked for, as JSON');
      await json.fill((await json.inputValue()).replace('To be changed', 'Changed by hand'));
      await page.getByRole('button', { name: 'Show what that would do' }).click();
      await page.getByText('Changed, and not approved yet').waitFor();
      assert.match(JSON.stringify(await rest('GET', `/pending-actions/${changed}`)), /Changed by hand/);
      await page.locator('summary', { hasText: 'Reject it' }).click();
      await page.getByLabel('Reason').fill('Not ours');
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByText('Rejected. The proposer sees the reason.').waitFor();
      assert.equal(await stateOf(changed), 'rejected');

      const { world, tenant } = seeded;
      for (const { principalType, principalId, email } of (await rest('GET', '/members'))['items'] as unknown as Json[])
        if (String(email) !== owner)
          await rest('DELETE', `/members/${String(principalType)}/${encodeURIComponent(String(principalId))}`);
      const policy = await rest('GET', '/approval-policy');
      const tools = { service_invite_member: { fourEyes: true } };
      await rest('PUT', '/approval-policy', approver, { ...policy, soleApprover: false, tools });
      const params = {
        name: 'service_invite_member',
        arguments: { email: 'invited@example.com', role: 'viewer' },
      };
      const { body } = await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/portal`, {
        token: agent,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      });
      const invited = String(body['result']?.['structuredContent']?.['pending_action_id']);
      await looked.go(`/approvals/${invited}`);
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.getByText('1 of 2').first().waitFor();
      assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
      await page.getByRole('button', { name: 'Allow the only approver to decide alone' }).click();
      await page.getByText('The only approver may decide alone from now on.').waitFor();
      assert.equal((await rest('GET', '/approval-policy'))['soleApprover'], true);
      await page.getByText('Takes two people', { exact: true }).waitFor({ state: 'detached' });
      // As the policy has changed, the owner is asked twice.
      const [decide, again] = [/^Approve/, 'Show what it is now'].map((name) =>
        page.getByRole('button', { name }).first(),
      );
      while ((await stateOf(invited)) === 'pending')
        if (await again?.isVisible()) await again?.click();
        else await decide?.click({ timeout: 2_000 }).catch(() => undefined);
      await rest('PUT', '/approval-policy', approver, { ...(await rest('GET', '/approval-policy')), tools: {} });
      await page.getByRole('button', { name: 'Make the secret to hand over' }).click();
      await page.getByText('It is not shown again.').waitFor();
      assert.match(JSON.stringify(await rest('GET', '/invitations')), /invited@example\.com/);
    });

    test('no act of its screens is left undone', () => assert.deepEqual(seeded.undone('screens/approvals'), []));
  });
