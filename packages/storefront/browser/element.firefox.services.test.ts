import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keys, startFirefox, type Firefox, type FirefoxPage } from '@steward/testing/firefox';
import type { StorefrontFormElement } from '../element/element.ts';
import { everyType, published } from '../fixtures/forms.ts';
import { startSite, type Site } from '../fixtures/site.ts';
import { problem } from '../fixtures/storefront.ts';

const executablePath = process.env['FIREFOX_PATH'] ?? '';
const thanks = 'Thank you. Your form has been sent.';

if (executablePath !== '') {
  describe('<storefront-form> in Firefox', () => {
    let site: Site;
    let firefox: Firefox;
    before(async () => {
      site = await startSite();
      site.storefront.forms.set('every', everyType);
      const fields = [
        { name: 'name', label: 'Name', required: true },
        { name: 'email', label: 'E-mail', type: 'email' },
      ];
      site.storefront.forms.set('contact', published('contact', fields));
      firefox = await startFirefox(executablePath);
    });
    beforeEach(() => {
      const { seen, taken } = site.storefront;
      seen.length = taken.length = site.posted.length = 0;
    });
    after(async () => {
      await firefox[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    });

    /** Waits until the element shows a text. */
    const shown = async (page: FirefoxPage, text: string): Promise<void> =>
      page.run(async (wanted: string) => {
        const visible = (): boolean =>
          [...(document.querySelector('storefront-form')?.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? [])].some(
            (one) => one.checkVisibility() && one.innerText.includes(wanted),
          );
        while (!visible()) await new Promise(requestAnimationFrame);
      }, text);
    const open = async (body: string): Promise<FirefoxPage> => {
      const page = await firefox.open(site.add(body));
      await shown(page, 'Name');
      return page;
    };
    const focused = async (page: FirefoxPage): Promise<string | null | undefined> =>
      page.run(() => {
        const active = document.activeElement?.shadowRoot?.activeElement;
        return active?.getAttribute('name') ?? active?.getAttribute('part');
      });
    /** The focus follows what is shown, a frame later or two. */
    const focuses = async (page: FirefoxPage, name: string, why = `the focus is on ${name}`): Promise<void> => {
      for (let look = 0; look < 100 && (await focused(page)) !== name; look += 1) await sleep(20);
      assert.equal(await focused(page), name, why);
    };
    const button = (): Element | null | undefined =>
      document.querySelector('storefront-form')?.shadowRoot?.querySelector('button');
    const submissions = (): string[] => site.storefront.seen.filter((one) => one.startsWith('POST'));

    it('draws every type of field with one request, and is filled in and sent by keyboard alone', async () => {
      const page = await open(site.element('every'));
      assert.deepEqual(site.storefront.seen, ['GET schema 200']);
      await page.run(() => document.querySelector('storefront-form')?.focus());
      const { tab, space, enter } = keys;
      const steps: [name: string, typed: string][] = [
        ['name', 'Ada'],
        ['mail', 'ada@example.com'],
        ['phone', '+44 20 7946 0000'],
        ['site', 'https://example.com'],
        ['guests', '4'],
      ];
      for (const [name, typed] of steps) {
        await focuses(page, name);
        await page.type(typed + tab);
      }
      await focuses(page, 'day');
      // Its parts are those of the browser's language.
      await page.run(() =>
        document.querySelector('storefront-form')?.shadowRoot?.querySelector<HTMLElement>('[name=size]')?.focus(),
      );
      await page.type(`L${tab}`);
      await focuses(page, 'meal');
      await page.type(`${space}${tab}`);
      await page.type(`${space}${tab}${tab}`);
      await focuses(page, 'message');
      await page.type(`Hello${tab}${space}${tab}`);
      await focuses(page, 'button');
      await page.type(enter);
      await shown(page, thanks);
      await focuses(page, 'success');
      assert.deepEqual(site.storefront.taken, [
        {
          name: 'Ada',
          mail: 'ada@example.com',
          phone: '+44 20 7946 0000',
          site: 'https://example.com',
          guests: 4,
          size: 'l',
          meal: 'fish',
          extras: ['tea'],
          message: 'Hello',
          consent: true,
        },
      ]);
      assert.deepEqual(page.faults, []);
    });

    it('leads from a summary of what is wrong to each field, and lets go of what is mended', async () => {
      const page = await open(site.element('contact'));
      await page.run(() => document.querySelector('storefront-form')?.focus());
      await page.type(`${keys.tab}ada@${keys.enter}`);
      await shown(page, 'Please check:');
      await focuses(page, 'summary');
      const wrong = async (): Promise<unknown> =>
        page.run(() => {
          const root = document.querySelector('storefront-form')?.shadowRoot;
          return [...(root?.querySelectorAll('[aria-invalid]') ?? [])].map((one) => one.getAttribute('name'));
        });
      assert.deepEqual(await wrong(), ['name', 'email']);
      await page.type(`${keys.tab}${keys.tab}${keys.enter}`);
      await focuses(page, 'email');
      await page.type(`${keys.end}example.com`);
      assert.deepEqual(await wrong(), ['name']);
      await page.click(() => document.querySelector('storefront-form')?.shadowRoot?.querySelector('a'));
      await focuses(page, 'name');
      await page.type(`Ada${keys.enter}`);
      await shown(page, thanks);
      assert.deepEqual(site.storefront.taken, [{ name: 'Ada', email: 'ada@example.com' }]);
      assert.deepEqual(page.faults, []);
    });

    it('sends once, however often it is asked to while the server thinks', async () => {
      const page = await open(site.element('contact'));
      const answer = Promise.withResolvers<undefined>();
      site.storefront.instead.submit.push({ until: answer.promise });
      await page.run(() => document.querySelector('storefront-form')?.focus());
      await page.type('Ada');
      await page.click(button, 3);
      await shown(page, 'Sending…');
      await page.type(keys.enter);
      await page.run(async () => (document.querySelector('storefront-form') as StorefrontFormElement).submit());
      answer.resolve(undefined);
      await shown(page, thanks);
      assert.deepEqual(submissions(), ['POST submit 201']);
    });

    it('puts what the server refuses beside the field that it names, and keeps what was typed', async () => {
      const page = await open(site.element('contact', 'locale="de"'));
      const errors = [{ pointer: '/data/email', code: 'invalid_value', detail: 'Give an e-mail address.' }];
      site.storefront.instead.submit.push({ status: 400, body: problem('invalid_contact_values', 400, { errors }) });
      await page.run(() => document.querySelector('storefront-form')?.focus());
      await page.type(`Ada${keys.tab}ada@example.com${keys.enter}`);
      await shown(page, 'Bitte eine E-Mail-Adresse');
      await focuses(page, 'summary');
      await page.click(button);
      await shown(page, 'Vielen Dank');
      assert.deepEqual(site.storefront.taken, [{ name: 'Ada', email: 'ada@example.com' }]);
    });

    it('changes its language while somebody types, and leaves the text and the focus where they are', async () => {
      const page = await open(site.element('contact'));
      await page.run(() => document.querySelector('storefront-form')?.focus());
      await page.type('Ada');
      await page.run(() => document.querySelector('storefront-form')?.setAttribute('locale', 'es'));
      await shown(page, 'Enviar');
      await focuses(page, 'name');
      await page.type(` L.${keys.enter}`);
      await shown(page, 'Gracias.');
      assert.deepEqual(site.storefront.taken, [{ name: 'Ada L.' }]);
      assert.deepEqual(page.faults, []);
    });

    it('is a control of the page’s own form', async () => {
      const page = await open(
        `<form action="/relay" method="post">${site.element('contact')}<button id="order">Order</button></form>`,
      );
      await page.click(() => document.querySelector('#order'));
      await focuses(page, 'name', 'the browser points at the first fault');
      await page.type('Ada');
      await page.click(() => document.querySelector('#order'));
      await page.run(async () => {
        while (!document.body?.textContent.includes('Elsewhere')) await new Promise(requestAnimationFrame);
      });
      assert.deepEqual(site.posted.map(String), ['name=Ada']);
      assert.deepEqual(submissions(), []);
    });
  });
}
