import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createWorld,
  hireAgent,
  openMailbox,
  openShop,
  type Agent,
  type Json,
  type Email,
  type Mailbox,
  type Shop,
  type World,
} from '@steward/conformance/world';
import { createStorefront } from '@steward/storefront';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const owner = 'owner@fjord-bikes.example';
const desk = 'desk@elsewhere.example';

if (executablePath !== '') {
  describe('an email about a form leads, in a browser,', () => {
    let world: World;
    let mailbox: Mailbox;
    let agent: Agent;
    let shop: Shop;
    let browser: Browser;
    let email: Email;
    let submissionId: string;
    const faults: string[] = [];
    before(async () => {
      mailbox = await openMailbox();
      world = await createWorld({ SMTP_URL: mailbox.url });
      agent = await hireAgent(world, owner, 'studio');
      shop = await openShop(agent, ['https://fjord-bikes.example'], [desk]);
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      const storefront = createStorefront({ baseUrl: world.server.addresses.storefront, sdkKey: shop.key });
      const data = {
        full_name: 'Ada <b>Lovelace</b>',
        email: 'ada@example.com',
        topic: 'Repairs',
        message: '<img src=x onerror=alert(1)>\u202Etxt.exe',
        consent: true,
        utm: 'newsletter',
      };
      ({ submissionId } = await storefront.submit(shop.formId, data));
      email = await eventually(() => mailbox.emails.find(({ body }) => body.includes(submissionId)));
    });
    after(async () => {
      await browser.close();
      await agent[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await mailbox[Symbol.asyncDispose]();
    });

    const eventually = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
      for (;;) {
        const found = await look();
        if (found !== undefined) return found;
        await sleep(25);
      }
    };
    const linkTo = (path: string): string =>
      new RegExp(`http://[^\\s"<>]*${path}[^\\s"<>]*`).exec(email.body)?.[0] ?? `no link to ${path}`;
    const open = async (url: string): Promise<Page> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('dialog', (dialog) => faults.push(dialog.message()));
      page.on('request', (request) => {
        if (new URL(request.url()).hostname !== '127.0.0.1') faults.push(request.url());
      });
      await page.goto(url);
      return page;
    };
    const signIn = async (page: Page, email: string): Promise<void> => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.keyboard.press('Enter');
      await page.getByText(`Signed in as ${email}`).waitFor();
    };
    const accessible = async (page: Page): Promise<void> => {
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
        return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      assert.deepEqual(found, []);
    };
    const standing = async (): Promise<string> => {
      const { recipients } = await agent.call('service_list_form_recipients', { form_id: shop.formId });
      const [one] = recipients as unknown as Json[];
      return `${String(one?.['standing'])} ${String(one?.['told'])}`;
    };

    test('to what was submitted, once a member has signed in, with every word of a visitor as text', async () => {
      const url = linkTo('/submissions/');
      assert.ok(url.endsWith(`/portal/submissions/${submissionId}`), url);
      const page = await open(url);
      await page.getByRole('heading', { name: 'Submissions to a form' }).waitFor();
      await accessible(page);
      const asked: URL[] = [];
      page.on('request', (request) => asked.push(new URL(request.url())));
      await signIn(page, owner);
      const scopes = asked.map(({ searchParams }) => searchParams.get('scope')).filter((scope) => scope !== null);
      assert.deepEqual(scopes, ['openid email'], 'a login that may decide is not asked for');
      await page.getByRole('heading', { name: 'Ask us' }).waitFor();
      for (const words of [
        'Your name',
        'Ada <b>Lovelace</b>',
        'Repairs',
        '<img src=x onerror=alert(1)>',
        'utm',
        'newsletter',
      ])
        await page.getByText(words).first().waitFor();
      await page.getByText('ada@example.com').first().waitFor();
      assert.equal(await page.locator('.hidden-character').textContent(), 'U+202E', 'what turns text around is shown');
      assert.equal(await page.locator('main img, main b').count(), 0);
      await accessible(page);
      assert.equal(page.url(), url, 'nothing secret is in the address');
      await page.getByRole('link', { name: 'All submissions to this form' }).click();
      await page.getByRole('heading', { name: 'Submissions: Ask us' }).waitFor();
      await page.locator('ul.actions a').click();
      await page.getByRole('heading', { name: 'Ask us', exact: true }).waitFor();

      const stranger = await open(url);
      await signIn(stranger, 'mallory@example.com');
      await stranger.getByText('No such submission is in the organizations of').waitFor();
      assert.ok(!(await stranger.content()).includes('Lovelace'));
      assert.deepEqual(faults, []);
    });

    test('to a page with one button that confirms the address, and to one that ends the emails and brings them back', async () => {
      const confirm = await open(linkTo('/letters/confirm/'));
      await confirm.getByText('Online shop').waitFor();
      await accessible(confirm);
      assert.equal(await standing(), 'unconfirmed true');
      await confirm.keyboard.press('Tab');
      await confirm.keyboard.press('Enter');
      await confirm.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
      await accessible(confirm);
      assert.equal(await standing(), 'confirmed true');

      const end = await open(linkTo('/letters/unsubscribe/'));
      await end.getByRole('button', { name: 'End these letters' }).click();
      await end.getByRole('heading', { name: 'You get no more of these letters' }).waitFor();
      assert.equal(await standing(), 'confirmed false');
      await accessible(end);
      await end.getByRole('button', { name: 'I want them again' }).click();
      await end.getByRole('heading', { name: 'These letters are on again' }).waitFor();
      assert.equal(await standing(), 'confirmed true');
      const gone = await open(linkTo('/letters/confirm/').slice(0, -1));
      await gone.getByRole('heading', { name: 'This link leads nowhere any more' }).waitFor();
      assert.deepEqual(faults, []);
    });
  });
}
