import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { openSeeded, type Looked, type Seeded } from '../fixtures/browser.ts';
import { logInAgain } from '../fixtures/log-in-again.ts';
import { violationsOf } from '../fixtures/violations.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';

if (executablePath !== '')
  describe('the shell of the console, in a browser', () => {
    let seeded: Seeded;
    before(async () => {
      seeded = await openSeeded({ executablePath, orders: 2, products: 2 });
    });
    after(async () => seeded[Symbol.asyncDispose]());

    const portal = async (path: string, body?: unknown) =>
      seeded.world.call(`${seeded.world.server.addresses.portal}/api/${path}`, {
        token: seeded.owner,
        tenant: seeded.tenant,
        ...(body === undefined ? {} : { body }),
      });
    /** Nothing failed but what the test meant to. */
    const onlyMeant = ({ faults }: Looked, meant: RegExp): void =>
      assert.deepEqual(
        faults.filter((fault) => !meant.test(fault)),
        [],
      );

    test('is gone through by keys, which do nothing where somebody types', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/');
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      const find = page.getByRole('combobox', { name: 'Find a page' });
      await find.waitFor();
      await page.keyboard.type('g h dev');
      assert.equal(await find.inputValue(), 'g h dev', 'the field has the focus and gets what is typed');
      await find.fill('dev');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
      await find.waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Settings').waitFor();
      await page.getByLabel('Single keys act').uncheck();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.keyboard.press('Control+k');
      await find.waitFor();
      assert.equal(await page.getByRole('dialog', { name: 'Keys' }).count(), 0, 'single keys are off');
      assert.deepEqual(looked.faults, []);
    });

    test('takes what is typed at once after its keys, the first time too', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('devel');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
    });

    test('finds records of every kind by keys alone, whatever strangers call them, and leads to their screens', async () => {
      const name = '<img src=x onerror=alert(1)> pay\u200Bpal';
      const made = await seeded.world.call(`${seeded.world.server.addresses.commerce}/api/contacts`, {
        token: seeded.owner,
        tenant: seeded.tenant,
        body: { name, email: 'hostile@example.com' },
      });
      assert.ok(made.status < 300, JSON.stringify(made.body));
      await using looked = await seeded.open({ width: 360 });
      const { page } = looked;
      await looked.go('/');
      const wanted: readonly (readonly [typed: string, kind: string, at: RegExp])[] = [
        ['1001', 'Order', /commerce\/orders\/[0-9a-f-]{36}$/],
        ['inv-00001', 'Document', /money\/documents\/[0-9a-f-]{36}$/],
        ['hostile@example.com', 'Contact', /people\/[0-9a-f-]{36}$/],
        ['6100', 'Account', /money\/ledger\/[0-9a-f-]{36}$/],
        ['alice@example.com', 'Member', /settings$/],
      ];
      for (const [typed, kind, at] of wanted) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(typed);
        const option = page
          .getByRole('option')
          .filter({ hasText: new RegExp(`${kind}(?: · |$)`) })
          .first();
        await option.waitFor();
        while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL(at);
        await page.getByRole('heading', { level: 1 }).waitFor();
      }
      for (const [typed, at] of [
        ['stock', /commerce\/stock$/],
        ['policy', /settings\/policy$/],
      ] as const) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(typed);
        await page.keyboard.press('Enter');
        await page.waitForURL(at);
        await page.getByRole('heading', { level: 1 }).waitFor();
      }
      await page.keyboard.press('Control+k');
      await page.keyboard.type('onerror');
      await page.getByRole('option').filter({ hasText: '<img src=x onerror=alert(1)>' }).waitFor();
      assert.equal(await page.locator('[role=dialog] img, dialog img').count(), 0);
      await page.keyboard.type('x'.repeat(300));
      await page.getByRole('status').filter({ hasText: 'Nothing found.' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('shows what a record is to programs, by one key', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/developers/keys');
      await page.getByRole('row', { name: /Shop, live/ }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('i');
      const inspector = page.getByRole('complementary', { name: 'Inspector' });
      await inspector.getByText('studio.sdk_key.issued').waitFor();
      assert.match((await inspector.textContent()) ?? '', /curl .*studio\/api\/sites/s);
      assert.deepEqual(looked.faults, []);
    });

    test('moves by keys in the table that has the focus, else in the first', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      const { world, tenant, owner } = seeded;
      for (const name of ['one', 'two'])
        await world.call(`${world.server.addresses.portal}/api/invitations`, {
          token: owner,
          tenant,
          body: { email: `${name}@example.com`, role: 'viewer' },
        });
      await looked.go('/settings');
      const [first, second] = [page.locator('main tbody').first(), page.locator('main tbody').nth(1)];
      const focused = 'tr:focus';
      await second.locator('tr').nth(1).waitFor();
      await page.keyboard.press('j');
      assert.equal(await first.locator(focused).getAttribute('data-at'), '0');
      await second.locator('tr').first().focus();
      await page.keyboard.press('j');
      assert.equal(await second.locator(focused).getAttribute('data-at'), '1');
      await page.keyboard.press('k');
      assert.equal(await second.locator(focused).getAttribute('data-at'), '0');
      assert.deepEqual(looked.faults, []);
    });

    test('asks for what is seen first in 8 requests, on Home and where addresses of actions lead', async () => {
      const { world, tenant, owner, origin } = seeded;
      const { body } = await world.call(`${world.server.addresses.portal}/api/pending-actions?state=pending`, {
        token: owner,
        tenant,
      });
      const [action] = body['items'] as unknown as readonly { readonly id: string }[];
      assert.ok(action !== undefined);
      for (const path of [`/o/${tenant}`, `/o/${tenant}/approvals/${action.id}`, `/console/approvals/${action.id}`]) {
        await using looked = await seeded.open();
        const { page } = looked;
        await page.goto('about:blank');
        const devtools = await page.context().newCDPSession(page);
        await devtools.send('Network.enable');
        await devtools.send('Network.clearBrowserCache');
        const asked = new Map<string, string>();
        // Events are followed once all that is seen first was read (data/events.ts).
        const first = new Promise<readonly string[]>((resolve) => {
          devtools.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
            if (url.includes('/console/events/')) resolve([...asked.values()]);
            else asked.set(requestId, new URL(url).pathname);
          });
        });
        // Chromium looks for the icon of a page anew where its address changes, and finds it in its cache.
        devtools.on('Network.responseReceived', ({ requestId, response }) => {
          if (response.fromDiskCache === true) asked.delete(requestId);
        });
        await page.goto(origin + path);
        const until = await first;
        assert.ok(until.length > 3 && until.length <= 8, `${path} asks ${until.length} times: ${until.join(' ')}`);
        await page.locator('main h1').waitFor({ timeout: 1_000 });
        assert.equal(await page.locator('[role=status][aria-label]').count(), 0, `${path} is still loading`);
        assert.deepEqual(looked.faults, []);
      }
    });

    test('asks for what Home reads before it is drawn, and holds places where that does not come at once', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await page.goto('about:blank');
      const held = Promise.withResolvers<void>();
      await page.addInitScript(() => {
        const ask = globalThis.fetch;
        globalThis.fetch = async (...asked) => {
          if (String(asked[0]).endsWith('/reads'))
            Object.assign(globalThis, { drawn: document.querySelectorAll('h1').length });
          return ask(...asked);
        };
      });
      await page.route('**/reads', async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.goto(`${seeded.origin}/o/${seeded.tenant}`);
      await page.locator('main [role=status][aria-label]').first().waitFor();
      assert.equal(await page.evaluate(() => (globalThis as unknown as { drawn?: number }).drawn), 0);
      held.resolve();
      await page.locator('main a[href*="/approvals/"]').first().waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('asks for a fresh login where somebody decides, keeps what was typed, and sends nothing by itself', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings');
      await page.getByRole('button', { name: 'Invite' }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite' });
      await dialog.getByLabel('E-mail').fill('new@example.com');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await logInAgain(page);
      assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'new@example.com');
      assert.doesNotMatch(JSON.stringify((await portal('invitations')).body), /new@example\.com/);
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog', { name: 'The invitation' }).waitFor();
      assert.match(JSON.stringify((await portal('invitations')).body), /new@example\.com/);
      onlyMeant(looked, /status of 40[13] .*\/api\/invitations$/);
    });

    test('says what the server refused at the field that is wrong', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings/brands');
      await page.getByRole('button', { name: 'Add a brand' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a brand' });
      await dialog.getByLabel('Name').fill('x'.repeat(3_000));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').waitFor();
      assert.equal(await dialog.getByLabel('Name').getAttribute('aria-invalid'), 'true');
      onlyMeant(looked, /status of 400 /);
    });

    test('shows in every tab what others did meanwhile, without being asked', async () => {
      const { body } = await portal('webhooks', { url: 'https://example.com/hooks', types: null, signing: 'ed25519' });
      await using looked = await seeded.open();
      const { page } = looked;
      const second = await page.context().newPage();
      await looked.go('/developers/webhooks');
      await second.goto(page.url());
      for (const tab of [page, second]) await tab.getByRole('row', { name: /example\.com.* sends/ }).waitFor();
      assert.equal((await portal(`webhooks/${String(body['id'])}/pause`, {})).status, 200);
      for (const tab of [page, second]) await tab.getByRole('row', { name: /example\.com.* paused/ }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('shows what strangers wrote as text', async () => {
      const name = '<img src=x onerror=alert(1)><b>Bold</b>';
      assert.equal((await portal('brands', { name })).status, 201);
      await using looked = await seeded.open();
      await looked.go('/settings/brands');
      await looked.page.getByText(name).waitFor();
      assert.equal(await looked.page.locator('img, b').count(), 0);
      assert.deepEqual(looked.faults, []);
    });

    test('says that nothing answers or that it is too much, and goes on by itself', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings/sessions');
      const members = /\/portal\/api\/members/;
      await page.route(members, async (route) => route.abort());
      await page.getByRole('link', { name: 'Members' }).click();
      await page.getByText('The server does not answer.', { exact: true }).waitFor();
      await page.unroute(members);
      await page.route(members, async (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
          body: JSON.stringify({ code: 'rate_limited', title: 'Too many requests', detail: 'Wait.' }),
        }),
      );
      await page.getByText('Too many requests. Waiting…').waitFor();
      await page.unroute(members);
      await page.getByRole('row', { name: /bob@example\.com Accountant/ }).waitFor();
      await page.getByText('Too many requests. Waiting…').waitFor({ state: 'detached' });
      onlyMeant(looked, /Failed to load resource.*\/api\/members/);
    });

    test('speaks the language that somebody chooses, and has the colours that they choose', async () => {
      await using looked = await seeded.open({ theme: 'light' });
      const { page } = looked;
      await looked.go('/settings');
      await page.locator('summary', { hasText: 'alice@example.com' }).first().click();
      await page.getByLabel('Colours').selectOption('dark');
      const ground = async (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await ground();
      await page.getByLabel('Language').selectOption('de');
      await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'de');
      assert.equal(await ground(), dark, 'it stays after a reload');
      await page.locator('summary', { hasText: 'alice@example.com' }).first().click();
      await page.getByLabel('Farben').selectOption('light');
      assert.notEqual(await ground(), dark);
      // Tools too, on the pages that come first and on others.
      await looked.go('/approvals');
      await page.getByRole('heading', { name: 'bookkeeper · Eine Buchung erfassen' }).waitFor();
      await looked.go('/settings/policy');
      await page.getByRole('cell', { name: 'Eine Bankzeile buchen' }).first().waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('signs out in every tab at once', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings');
      const second = await page.context().newPage();
      await second.goto(page.url());
      await second.getByRole('button', { name: 'Invite' }).click();
      await second.getByRole('dialog').getByLabel('E-mail').fill('unsent@example.com');
      const kept = async (): Promise<string> => second.evaluate(() => JSON.stringify(sessionStorage));
      assert.match(await kept(), /unsent@/);
      await page.locator('summary', { hasText: 'alice@example.com' }).first().click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await second.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.equal(await kept(), '{}', 'what was typed is gone');
      // At the identity provider too, which leads back.
      await page.getByRole('heading', { name: 'Sign out' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'You are signed out.' }).waitFor();
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      onlyMeant(looked, /status of 401 /);
    });

    test('whoever is in no organization opens one, and is led to the first call of its first agent', async () => {
      const as = 'founder@example.com';
      await using looked = await seeded.open({ as, width: 360 });
      const { page } = looked;
      await page.getByRole('heading', { name: 'Open an organization' }).waitFor();
      assert.deepEqual(await violationsOf(page), []);
      await page.getByLabel('Name of the business').fill('Fjord Bikes');
      await page.getByRole('button', { name: 'Open it' }).click();
      const wrong = page.getByRole('alert');
      await wrong.getByText('Currency of the books').waitFor();
      assert.doesNotMatch((await wrong.textContent()) ?? '', /defaultCurrency/);
      await page.getByLabel('Currency of the books').selectOption('NOK');
      await page.getByLabel('What you do').selectOption('Selling goods');
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.getByText('Fjord Bikes is open, and you own it.').waitFor();
      const tenant = /\/o\/([0-9a-f-]{36})\//.exec(page.url())?.[1] ?? '';
      const { addresses } = seeded.world.server;
      const token = await seeded.world.token({ user: as, agent: 'first-one' });
      const called = await seeded.world.call(`${addresses.mcp}/t/${tenant}/p/accounting`, {
        token,
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'service_create_party', arguments: { name: 'Landlord', supplier: true } },
        },
      });
      assert.equal(called.status, 200, JSON.stringify(called.body));
      await page.getByText('made its first call').waitFor();
      const owner = await seeded.world.token({ user: as });
      const { body } = await seeded.world.call(`${addresses.accounting}/api/audit/events?type=portal.tenant.created`, {
        token: owner,
        tenant,
      });
      assert.match(JSON.stringify(body), /NOK/);
      assert.match(JSON.stringify(body), /"persona":"retail"/);
      onlyMeant(looked, /status of 400 /);
    });

    test('whoever opens one in their language sends invoices in it, and reads what a shop takes and what of it is done', async () => {
      const as = 'fundadora@example.com';
      await using looked = await seeded.open({ as, locale: 'es-ES' });
      const { page } = looked;
      await page.getByLabel('Nombre del negocio').fill('Cerámica Lola');
      await page.getByLabel('Moneda de los libros').selectOption('EUR');
      await page.getByRole('button', { name: 'Abrirla' }).click();
      await page.waitForURL(/\/agents\/hire/);
      const tenant = /\/o\/([0-9a-f-]{36})\//.exec(page.url())?.[1] ?? '';
      const { addresses } = seeded.world.server;
      const token = await seeded.world.token({ user: as });
      const seller = async () =>
        seeded.world.call(`${addresses.accounting}/graphql`, {
          token,
          tenant,
          body: { query: '{ seller { language } }' },
        });
      assert.equal((await seller()).body['data']?.['seller']?.['language'], 'es' as never);

      await page.goto(`${seeded.origin}/o/${tenant}/commerce`);
      const steps = page.getByRole('listitem').filter({ hasText: /Por hacer|Hecho/ });
      await steps.nth(4).waitFor();
      assert.equal(await steps.filter({ hasText: 'Por hacer' }).count(), 5);
      const tabs = page.getByRole('navigation').filter({ has: page.getByRole('link', { name: 'Descuentos' }) });
      assert.ok(await tabs.evaluate((bar) => bar.scrollWidth <= bar.clientWidth), 'a tab is out of sight');
      const made = await seeded.world.call(`${addresses.studio}/api/sites`, {
        token,
        tenant,
        body: { name: 'Tienda', origins: ['https://lola.example'] },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      await page.reload();
      await steps.filter({ hasText: 'Hecho' }).waitFor();
      assert.match((await steps.filter({ hasText: 'Hecho' }).textContent()) ?? '', /La página/);
      assert.deepEqual(await violationsOf(page), []);
      await steps.filter({ hasText: 'Hecho' }).getByRole('link').click();
      await page.waitForURL(/\/developers\/keys$/);
      assert.deepEqual(looked.faults, []);
    });

    test('whoever is in one organization joins another one by the secret that they were given, and opens one of their own', async () => {
      const { world, tenant, owner: token } = seeded;
      const { portal } = world.server.addresses;
      const as = 'second@example.com';
      await world.signUp(as, 'First of two');
      const { body } = await world.call(`${portal}/api/invitations`, {
        token,
        tenant,
        body: { email: as, role: 'viewer' },
      });
      await using looked = await seeded.open({ as, width: 1280 });
      const { page } = looked;
      const all = async (): Promise<void> => {
        await page.locator('summary', { hasText: as }).first().click();
        await page.getByRole('link', { name: 'Your organizations' }).first().click();
        await page.getByRole('heading', { name: 'Your organizations' }).waitFor();
      };
      await page.waitForURL(/\/o\//);
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.locator('summary', { hasText: as }).first().click();
      const below = async (): Promise<number> =>
        page
          .getByRole('button', { name: 'Sign out' })
          .first()
          .evaluate((button) => button.getBoundingClientRect().bottom - innerHeight);
      while ((await below()) > 0) await page.waitForTimeout(50);
      await page.locator('summary', { hasText: as }).first().click();
      await all();
      assert.deepEqual(await violationsOf(page), []);
      await page.locator('summary', { hasText: 'I was invited' }).click();
      await page.getByLabel('Secret that you were given').fill(String(body['secret']));
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.waitForURL(new RegExp(`/o/${tenant}`));
      await all();
      await page.getByRole('link', { name: 'First of two' }).waitFor();
      await page.locator('summary', { hasText: 'Open another organization' }).click();
      await page.getByLabel('Name of the business').fill('Second of two');
      await page.getByLabel('Currency of the books').selectOption('NOK');
      assert.deepEqual(await violationsOf(page), []);
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.getByText('Second of two is open, and you own it.').waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('shows nobody an organization that is not theirs', async () => {
      await using looked = await seeded.open({ as: 'stranger@example.com' });
      await looked.page.goto(`${seeded.origin}/o/${seeded.tenant}/settings`);
      await looked.page.getByText('This organization is not among yours.').waitFor();
      assert.equal(await looked.page.getByText('Juniper').count(), 0);
    });

    test('says of an address that leads nowhere that there is no such page, beside the navigation', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      for (const path of ['/commerce/orders', '/nowhere/at/all']) {
        await looked.go(path);
        await page.getByRole('heading', { level: 1, name: 'There is no such page.' }).waitFor();
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).waitFor();
      }
      await page.getByRole('link', { name: 'Go to Home' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      assert.deepEqual(looked.faults, []);
    });

    test('keeps what is typed where the session ends, for whoever typed it and for nobody else', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      // Else what is read anew as the page begins to listen may meet the end of the session before the button does.
      await page.route('**/console/events/**', async () => undefined);
      await looked.go('/settings');
      const open = async (): Promise<void> => page.getByRole('button', { name: 'Invite' }).click();
      const field = page.getByRole('dialog').getByLabel('E-mail');
      const signInAs = async (email: string): Promise<void> => {
        await page.getByRole('link', { name: 'Sign in' }).click();
        await page.locator('input[name=email]').fill(email);
        await page.locator('button[value=login]').click();
        await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      };
      await open();
      await field.fill('new@example.com');
      await page.context().clearCookies();
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await signInAs('alice@example.com');
      await open();
      assert.equal(await field.inputValue(), 'new@example.com');
      await page.context().clearCookies();
      await page.reload();
      await signInAs('bob@example.com');
      assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('new@example.com')), false);
      onlyMeant(looked, /status of (?:401|403) /);
    });

    test('a tab left open is of whoever signs in in another one, without what others read, typed or pinned there', async () => {
      const url = 'https://example.com/for-developers';
      assert.equal((await portal('webhooks', { url, types: null, signing: 'ed25519' })).status, 201);
      const vector = new URL('../../../conformance/audit/vectors/key', import.meta.url);
      await using looked = await seeded.open();
      const { page } = looked;
      const to = async (...names: readonly string[]): Promise<void> => {
        for (const name of names) await page.getByRole('link', { name, exact: true }).click();
      };
      const key = page.getByRole('textbox', { name: 'Public key' });
      await looked.go('/activity/verify');
      await key.fill((await readFile(vector, 'utf8')).trim());
      await page.getByRole('button', { name: 'Pin this key' }).click();
      await key.waitFor({ state: 'detached' });
      await to('Developers', 'Webhooks');
      await page.getByText(url).waitFor();
      await to('Settings');
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByLabel('E-mail').fill('unsent@example.com');
      await page.context().clearCookies();
      const second = await page.context().newPage();
      await second.goto(`${seeded.origin}/console/sign-in?to=/`);
      await second.locator('input[name=email]').fill('bob@example.com');
      await second.locator('button[value=login]').click();
      await page.locator('summary', { hasText: 'bob@example.com' }).first().waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.doesNotMatch(await page.evaluate(() => JSON.stringify(sessionStorage)), /unsent@/);
      await page.goBack();
      await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
      await page.getByRole('main').getByRole('alert').waitFor();
      assert.equal(await page.getByText(url).count(), 0);
      await to('Activity');
      await page.getByRole('link', { name: 'Verify a proof' }).click();
      await key.waitFor();
      onlyMeant(looked, /status of 403 /);
    });

    test('left open over a deployment, it offers to load again, breaks nowhere and loses nothing', async () => {
      await using looked = await seeded.open();
      const { page } = looked;
      await looked.go('/settings');
      const banner = page.getByText('A new version of this page is there.');
      await page.getByRole('link', { name: 'Brands' }).click();
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      assert.equal(await banner.count(), 0);
      // As if it had not begun with what the server has now, of which the style sheet alone is another one.
      await page.evaluate(() =>
        document.querySelector('link[rel=stylesheet]')?.setAttribute('href', '/console/icon.svg'),
      );
      await page.route(/\/assets\/(?:help|developers)-[^/]*\.js$/, async (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Billing' }).click();
      await banner.waitFor();
      await page.keyboard.press('?');
      await page.getByText('This part could not be loaded.').waitFor();
      await page.getByRole('link', { name: 'Developers' }).click();
      await page.getByRole('main').getByText('This part could not be loaded.').waitFor();
      assert.equal(new URL(page.url()).pathname.split('/').at(-1), 'developers');
      await page.unrouteAll();
      await page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Load again' }).click();
      await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
      assert.equal(await banner.count(), 0);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Invite' }).click();
      const field = page.getByRole('dialog').getByLabel('E-mail');
      await field.fill('late@example.com');
      await page.reload();
      await page.getByRole('button', { name: 'Invite' }).click();
      assert.equal(await field.inputValue(), 'late@example.com');
      onlyMeant(looked, /status of 404 /);
    });

    test('reads amounts as they are written where somebody lives, and asks about what may be two', async () => {
      await using looked = await seeded.open({ locale: 'de-DE' });
      const { page } = looked;
      await looked.go('/money/entries/new');
      const debit = page.getByLabel('Soll').first();
      await debit.fill('1.234,56');
      await debit.blur();
      assert.equal(await debit.inputValue(), '1234.56');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await debit.fill('1.234');
      await debit.press('Enter');
      await page.getByText('Das kann 1234 oder 1,234 sein.').waitFor();
      assert.equal(await debit.getAttribute('aria-invalid'), 'true');
      assert.equal(
        sent.some((body) => body.includes('money-entry-post')),
        false,
        'nothing is sent',
      );
      await debit.fill('12,5');
      const [posted] = await Promise.all([
        page.waitForRequest((request) => request.postData()?.includes('money-entry-post') === true),
        debit.press('Enter'),
      ]);
      assert.match(posted.postData() ?? '', /"12\.50"/);
    });
  });
