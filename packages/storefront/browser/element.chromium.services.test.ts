import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import type { StorefrontFormElement } from '../element/element.ts';
import { drawn, fillIn, openShop, type Shop } from '../fixtures/browser.ts';
import { everyType, published } from '../fixtures/forms.ts';
import { built, problem } from '../fixtures/storefront.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const thanks = 'Thank you. Your form has been sent.';

const contact = published('contact', [
  { name: 'name', label: 'Name', required: true, mapsTo: 'name' },
  { name: 'email', label: 'E-mail', type: 'email', mapsTo: 'email' },
]);

if (executablePath !== '') {
  describe('<storefront-form>', () => {
    let shop: Shop;
    before(async () => {
      shop = await openShop(executablePath);
      shop.storefront.forms.set('every', everyType);
      shop.storefront.forms.set('contact', contact);
    });
    beforeEach(async () => {
      const { seen, taken, instead, forms } = shop.storefront;
      seen.length = taken.length = shop.posted.length = 0;
      instead.schema.length = instead.submit.length = 0;
      forms.set('contact', contact);
      for (const context of shop.browser.contexts()) await context.close();
    });
    after(async () => shop[Symbol.asyncDispose]());

    /** What has the focus, through shadow roots. */
    const focused = async (page: Page): Promise<string> =>
      page.evaluate(() => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        return active?.getAttribute('name') ?? active?.getAttribute('part') ?? active?.textContent ?? '';
      });
    /** As the browser tells it to whoever cannot see the page. */
    const described = async (page: Page, name: string): Promise<string> => {
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      const node = nodes.find(({ role, name: own }) => role?.value === 'textbox' && own?.value === name);
      return String(node?.description?.value).trim();
    };
    const submissions = (): string[] => shop.storefront.seen.filter((one) => one.startsWith('POST'));

    it('draws the form from its schema with one request: labels, help, tokens for autofill', async () => {
      const { page, faults } = await shop.open(shop.element('every'));
      await drawn(page);
      assert.deepEqual(shop.storefront.seen, ['GET schema 200']);
      for (const [role, name] of [
        ['textbox', 'Name'],
        ['textbox', 'E-mail'],
        ['spinbutton', 'Guests (optional)'],
        ['combobox', 'Size'],
        ['radiogroup', 'Meal'],
        ['radio', 'Fish'],
        ['group', 'Extras (optional)'],
        ['checkbox', 'Tea'],
        ['textbox', 'Message (optional)'],
        ['checkbox', 'I agree to be contacted'],
        ['button', 'Send'],
      ] as const)
        assert.equal(await page.getByRole(role, { name, exact: true }).count(), 1, `${role} ${name}`);
      const tokens = await page
        .locator('storefront-form [part=control]')
        .evaluateAll((all) =>
          all.map((one) => `${one.getAttribute('name')}:${one.getAttribute('autocomplete') ?? ''}`),
        );
      assert.deepEqual(tokens.slice(0, 6), ['name:name', 'mail:email', 'phone:tel', 'site:url', 'guests:', 'day:']);
      assert.deepEqual(
        await page
          .getByLabel('E-mail')
          .evaluate((one: HTMLInputElement) => [one.type, one.required, one.labels?.length]),
        ['email', true, 1],
      );
      assert.equal(await described(page, 'E-mail'), 'We answer to this.');
      assert.deepEqual(faults, []);
    });

    it('asks again only whether it has changed, by the browser’s own cache', async () => {
      const { page } = await shop.open(shop.element('contact'));
      await drawn(page);
      await page.goto(page.url());
      await drawn(page);
      assert.deepEqual(shop.storefront.seen, ['GET schema 200', 'GET schema 304']);
    });

    it('can be filled in and sent by keyboard alone, and says so', async () => {
      const { page, faults } = await shop.open(shop.element('every'));
      await drawn(page);
      const { keyboard } = page;
      await keyboard.press('Tab');
      assert.equal(await focused(page), 'name');
      const steps: [string, string, string[]][] = [
        ['name', 'Ada', []],
        ['mail', 'ada@example.com', []],
        ['phone', '+44 20 7946 0000', []],
        ['site', 'https://example.com', []],
        ['guests', '4', []],
        ['day', '11212026', ['Tab']],
        ['size', 'L', []],
        ['meal', '', ['Space', 'ArrowDown']],
        ['extras', '', ['Space']],
        ['extras', '', ['Space']],
        ['message', 'Two lines', ['Enter']],
        ['consent', '', ['Space']],
      ];
      for (const [name, typed, keys] of steps) {
        assert.equal(await focused(page), name);
        await keyboard.type(typed);
        for (const key of keys) await keyboard.press(key);
        await keyboard.press('Tab');
      }
      assert.equal(await focused(page), 'button');
      await keyboard.press('Enter');
      await page.getByText(thanks).waitFor();
      assert.equal(await focused(page), 'success');
      assert.deepEqual(shop.storefront.taken, [
        {
          name: 'Ada',
          mail: 'ada@example.com',
          phone: '+44 20 7946 0000',
          site: 'https://example.com',
          guests: 4,
          day: '2026-11-21',
          size: 'l',
          meal: 'soup',
          extras: ['tea', 'cake'],
          message: 'Two lines\n',
          consent: true,
        },
      ]);
      assert.deepEqual(faults, []);
    });

    it('leads from a summary of what is wrong to each field, and lets go of what is mended', async () => {
      const { page } = await shop.open(shop.element('every'));
      await drawn(page);
      await page.getByLabel('Name').fill('A');
      await page.getByLabel('E-mail').fill('ada@');
      await page.getByLabel('Guests').fill('9');
      await page.getByLabel('Name').press('Enter');
      const summary = page.getByRole('alert');
      await summary.waitFor();
      assert.equal(await focused(page), 'summary');
      assert.deepEqual(await summary.getByRole('link').allTextContents(), [
        'Name: At least 2 characters.',
        'E-mail: Please enter an email address, like name@example.com.',
        'Guests: Our largest table seats 8.',
        'Size: Please choose an option',
        'Meal: Please choose an option',
        'I agree to be contacted: Please tick this box.',
      ]);
      assert.deepEqual(submissions(), []);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await focused(page), 'mail');
      const mail = page.getByLabel('E-mail');
      assert.equal(await mail.getAttribute('aria-invalid'), 'true');
      assert.match(await described(page, 'E-mail'), /^We answer to this\. Please enter an email address/);
      assert.equal(await page.getByRole('radiogroup').getAttribute('aria-invalid'), 'true');
      await page.keyboard.press('End');
      await page.keyboard.type('example.com');
      assert.equal(await mail.getAttribute('aria-invalid'), null);
      assert.equal(await described(page, 'E-mail'), 'We answer to this.');
      await summary.getByRole('link', { name: /^Meal/ }).click();
      assert.equal(await focused(page), 'meal');
      await fillIn(page);
      await page.getByLabel('Guests').fill('8');
      await page.getByLabel('Name').press('Enter');
      await page.getByText(thanks).waitFor();
      assert.equal(await summary.count(), 0);
    });

    // Without a colour of the page's own, axe-core takes it for white.
    const system = 'body { background: Canvas; color: CanvasText }';
    for (const [colours, colorScheme, ground] of [
      ['light', 'light', system],
      ['dark', 'dark', system],
      [
        'dark, of which the browser was not told,',
        'light',
        ':root { color-scheme: only light } body { background: #1b1b1f; color: #eee }',
      ],
    ] as const)
      it(`has no finding of axe-core in ${colours} colours: drawn, with faults, refused, sent, unavailable`, async () => {
        const { page } = await shop.open(`<style>${ground}</style>${shop.element('every')}`, { colorScheme });
        await page.addScriptTag({ content: axe.source });
        const findings = async (state: string): Promise<void> => {
          const found = await page.evaluate(async () => {
            const { axe: engine } = globalThis as unknown as {
              axe: {
                run: (
                  options: object,
                ) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
              };
            };
            const { violations } = await engine.run({ resultTypes: ['violations'] });
            return violations.map(
              ({ id, impact, nodes }) => `${impact} ${id} ${nodes.map(({ html }) => html).join(' ')}`,
            );
          });
          assert.deepEqual(found, [], state);
        };
        const button = await drawn(page);
        await findings('drawn');
        await button.click();
        await page.getByRole('alert').waitFor();
        await findings('with faults');
        await fillIn(page);
        shop.storefront.instead.submit.push({
          status: 429,
          headers: { 'retry-after': '9' },
          body: problem('rate_limited', 429),
        });
        await button.click();
        await page.getByText('in 9 seconds').waitFor();
        await findings('refused');
        await button.click();
        await page.getByText(thanks).waitFor();
        await findings('sent');
        await page.locator('storefront-form').evaluate((one) => one.setAttribute('form-id', 'gone'));
        await page.getByText('This form is not available.').waitFor();
        await findings('unavailable');
      });

    it('sends once, however often and in whatever way it is asked to while the server thinks', async () => {
      const { page } = await shop.open(shop.element('contact'));
      const button = await drawn(page);
      const open = Promise.withResolvers<undefined>();
      shop.storefront.instead.submit.push({ until: open.promise });
      await page.getByLabel('Name').fill('Ada');
      await button.dblclick();
      await page.getByLabel('Name').press('Enter');
      await page.getByLabel('Name').press('Enter');
      await page.locator('storefront-form').evaluate(async (one: StorefrontFormElement) => {
        const form = one.shadowRoot?.querySelector('form');
        form?.requestSubmit();
        form?.requestSubmit();
        await one.submit();
        await one.submit();
      });
      assert.equal(await page.getByRole('status').textContent(), 'Sending…');
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      open.resolve(undefined);
      await page.getByText(thanks).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('storefront-form').evaluate(async (one: StorefrontFormElement) => one.submit());
      assert.deepEqual(submissions(), ['POST submit 201']);
    });

    it('two presses in one task are one submission, before anything has been drawn anew', async () => {
      const { page } = await shop.open(shop.element('contact'));
      const button = await drawn(page);
      await page.getByLabel('Name').fill('Ada');
      await button.evaluate((one: HTMLButtonElement) => {
        one.click();
        one.click();
        one.form?.requestSubmit();
      });
      await page.getByText(thanks).waitFor();
      assert.deepEqual(submissions(), ['POST submit 201']);
    });

    it('keeps what was typed when it is refused, cut off, offline or unanswered, and sends it at the next try', async () => {
      const { page } = await shop.open(shop.element('contact'));
      const button = await drawn(page);
      const alert = page.getByRole('alert');
      const said = async (text: string): Promise<void> => {
        await button.click();
        await alert.filter({ hasText: text }).waitFor();
        assert.equal(await page.getByLabel('Name').inputValue(), 'Ada');
        assert.equal(await button.getAttribute('aria-disabled'), null);
        assert.equal(await focused(page), 'button');
      };
      await page.getByLabel('Name').fill('Ada');
      const { submit } = shop.storefront.instead;
      submit.push({ status: 429, headers: { 'retry-after': '17' }, body: problem('rate_limited', 429) });
      await said('Too many requests. Please try again in 17 seconds.');
      submit.push({ status: 429, body: problem('rate_limited', 429) });
      await said('in 60 seconds.');
      submit.push({ status: 500, body: problem('internal_error', 500) });
      await said('Something went wrong. Your entries are still here.');
      submit.push({ status: 503, body: problem('unavailable', 503) });
      await said('Something went wrong. Your entries are still here.');
      submit.push({ status: 503, body: problem('outcome_unknown', 503) });
      await said('No answer from the server: your form may have been sent. Your entries are still here.');
      // A browser repeats by itself what a kept connection lost before an answer began.
      submit.push({ cut: true }, { cut: true });
      await said('No answer from the server: your form may have been sent. Your entries are still here.');
      submit.length = 0;
      await page.context().setOffline(true);
      await said('No answer from the server: your form may have been sent.');
      await page.context().setOffline(false);
      await page.evaluate(() => {
        const { timeout } = AbortSignal;
        AbortSignal.timeout = () => {
          AbortSignal.timeout = timeout;
          return timeout.call(AbortSignal, 50);
        };
      });
      const never = Promise.withResolvers<undefined>();
      submit.push({ until: never.promise, status: 500 });
      await said('No answer from the server: your form may have been sent.');
      never.resolve(undefined);
      await button.click();
      await page.getByText(thanks).waitFor();
      assert.deepEqual(shop.storefront.taken, [{ name: 'Ada' }]);
    });

    it('puts what the server refuses beside the fields it names, in the visitor’s language where it can', async () => {
      const { page } = await shop.open(shop.element('contact', 'locale="de"'));
      const button = await drawn(page);
      const errors = [
        { pointer: '/data/name', code: 'blank', detail: 'This field is required and may not be blank.' },
        { pointer: '/data/email', code: 'invalid_value', detail: 'Give an e-mail address.' },
        { pointer: '/data', code: 'too_large', detail: 'Too much.' },
      ];
      shop.storefront.instead.submit.push({ status: 400, body: problem('invalid_contact_values', 400, { errors }) });
      await page.getByLabel('Name').fill('\u2060');
      await page.getByLabel('E-mail').fill('ada@example.com');
      await button.click();
      const summary = page.getByRole('alert');
      await summary.waitFor();
      assert.equal(await focused(page), 'summary');
      assert.deepEqual(await summary.getByRole('listitem').allTextContents(), [
        'Name: Bitte ausfüllen.',
        'E-mail: Bitte eine E-Mail-Adresse wie name@example.com eingeben.',
        'Too much.',
      ]);
      assert.equal(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true');
      await page.getByLabel('Name').fill('Ada');
      assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), null);
      await button.click();
      await page.getByText('Vielen Dank').waitFor();
    });

    it('takes up a form that was published anew meanwhile, with what was typed', async () => {
      const { page } = await shop.open(shop.element('contact'));
      const button = await drawn(page);
      await page.getByLabel('Name').fill('Ada');
      shop.storefront.forms.set(
        'contact',
        published('contact', [...contact.fields, { name: 'town', label: 'Town', required: true }], [], 2),
      );
      const errors = [{ pointer: '/data/town', code: 'required', detail: 'This field is required.' }];
      shop.storefront.instead.submit.push({ status: 400, body: problem('required_fields_missing', 400, { errors }) });
      await button.click();
      await page.getByRole('link', { name: 'Town: Please fill this in.' }).click();
      assert.equal(await focused(page), 'town');
      await page.keyboard.type('Bath');
      await page.keyboard.press('Enter');
      await page.getByText(thanks).waitFor();
      assert.deepEqual(shop.storefront.taken, [{ name: 'Ada', town: 'Bath' }]);
    });

    it('speaks the language of its locale, else of the page around it, else of the browser', async () => {
      const cases = [
        ['de', 'locale="de-AT"', 'lang="en"', 'en-GB', 'Absenden', 'Name: Bitte ausfüllen.'],
        ['es', '', 'lang="es-MX"', 'en-GB', 'Enviar', 'Name: Rellene este campo.'],
        ['ja', '', '', 'ja-JP', '送信する', 'Name：入力してください。'],
        ['en', '', 'lang="fr"', 'de-DE', 'Send', 'Name: Please fill this in.'],
      ] as const;
      for (const [name, more, html, locale, button, fault] of cases) {
        const { page } = await shop.open(shop.element('contact', more), { html, locale });
        await page.getByRole('button', { name: button, exact: true }).click();
        await page.getByRole('link', { name: fault }).waitFor();
        assert.equal(
          await page.getByRole('link', { name: fault }).evaluate((one) => one.closest('[lang]')?.getAttribute('lang')),
          more === '' ? undefined : 'de-AT',
          'what is not said is left to the page',
        );
        assert.equal(await page.getByRole('link').count(), 1, name);
        await page.context().close();
      }
    });

    it('marks what it says in English for want of the language of the page, and nothing that the form says', async () => {
      const { page } = await shop.open(shop.element('every'), { html: 'lang="ar" dir="rtl"' });
      const button = await drawn(page);
      await page.getByLabel('Guests').fill('9');
      await button.click();
      const heading = page.getByRole('alert').locator('strong');
      await heading.waitFor();
      const said = async (where: Locator): Promise<(string | null)[]> =>
        where.evaluate((one) => [one.getAttribute('lang'), one.getAttribute('dir'), getComputedStyle(one).direction]);
      const ours = ['en', 'ltr', 'ltr'];
      const error = page.locator('storefront-form [part=error]:not([hidden])');
      for (const one of [button, heading, error.first(), page.locator('storefront-form [part=optional]').first()])
        assert.deepEqual(await said(one), ours);
      const theirs = [null, null, 'rtl'];
      assert.deepEqual(await said(error.filter({ hasText: 'Our largest table' })), theirs, 'a rule’s own message');
      assert.deepEqual(await said(page.locator('storefront-form [part=label]').first()), theirs);
      await page.locator('storefront-form').evaluate((one: StorefrontFormElement) => (one.locale = 'de'));
      await page.getByRole('button', { name: 'Absenden' }).waitFor();
      assert.deepEqual((await said(page.locator('storefront-form [part=button]').first())).slice(0, 2), [null, null]);
    });

    it('changes its language with what was typed, and takes texts of the page’s own', async () => {
      const { page } = await shop.open(shop.element('contact'));
      await drawn(page);
      await page.getByLabel('Name').fill('Ada');
      const element = page.locator('storefront-form');
      await element.evaluate((one: StorefrontFormElement) => (one.locale = 'es'));
      await page.getByRole('button', { name: 'Enviar' }).waitFor();
      assert.equal(await page.getByLabel('Name').inputValue(), 'Ada');
      await element.evaluate((one: StorefrontFormElement) => (one.messages = { submit: 'Pedir', success: '¡Listo!' }));
      await page.getByRole('button', { name: 'Pedir' }).click();
      await page.getByText('¡Listo!').waitFor();
      assert.deepEqual(shop.storefront.seen, ['GET schema 200', 'POST submit 201']);
    });

    it('lets two forms stand in one page, and asks once for the same one', async () => {
      const two = shop.element('contact', 'id="a"') + shop.element('contact', 'id="b"') + shop.element('every');
      const { page } = await shop.open(two);
      await page.getByLabel('I agree').waitFor();
      assert.deepEqual(shop.storefront.seen.toSorted(), ['GET schema 200', 'GET schema 200']);
      await page.locator('#b').getByLabel('Name').fill('Second');
      await page.locator('#b').getByRole('button').click();
      await page.locator('#b').getByText(thanks).waitFor();
      assert.equal(await page.locator('#a').getByLabel('Name').inputValue(), '');
      assert.equal(await page.locator('#a').getByRole('button', { name: 'Send' }).count(), 1);
      assert.deepEqual(shop.storefront.taken, [{ name: 'Second' }]);
    });

    it('is moved with what was typed, without another request; a late answer draws nothing that was replaced', async () => {
      const { page, faults } = await shop.open('<div id="from"></div><div id="to"></div>');
      const late = Promise.withResolvers<undefined>();
      shop.storefront.instead.schema.push({ until: late.promise });
      await page.evaluate(({ key, baseUrl }) => {
        const element = document.createElement('storefront-form');
        document.querySelector('#from')?.append(element);
        element.formId = 'every';
        element.sdkKey = key;
        element.baseUrl = baseUrl;
      }, shop.storefront);
      const element = page.locator('storefront-form');
      await page.getByText('Loading…').waitFor();
      await element.evaluate((one: StorefrontFormElement) => (one.formId = 'contact'));
      await drawn(page);
      late.resolve(undefined);
      await page.getByLabel('Name').fill('Ada');
      await element.evaluate((one) => document.querySelector('#to')?.append(one));
      await element.evaluate((one) => {
        one.remove();
        document.querySelector('#from')?.append(one);
      });
      assert.equal(await page.getByLabel('Name').inputValue(), 'Ada');
      assert.equal(await page.getByLabel('I agree').count(), 0);
      await page.getByRole('button').click();
      await page.getByText(thanks).waitFor();
      assert.deepEqual(shop.storefront.seen.toSorted(), ['GET schema 200', 'GET schema 200', 'POST submit 201']);
      assert.deepEqual(faults, []);
    });

    it('works inside the shadow root of another element', async () => {
      const { page } = await shop.open('<div id="host" lang="de"></div>');
      await page.locator('#host').evaluate((host, markup) => {
        host.attachShadow({ mode: 'open' }).innerHTML = markup;
      }, shop.element('contact'));
      await page.getByRole('button', { name: 'Absenden' }).click();
      await page.getByRole('link', { name: 'Name: Bitte ausfüllen.' }).click();
      assert.equal(await focused(page), 'name');
      await page.keyboard.type('Ada');
      await page.keyboard.press('Enter');
      await page.getByText('Vielen Dank').waitFor();
    });

    it('is a control of the page’s own form: its values are entries, its faults hold the form back, the page submits', async () => {
      const { page, faults } = await shop.open(`
        <form action="/relay" method="post"><fieldset><label>Order <input name="order" value="7"></label>
        ${shop.element('every')}</fieldset><button>Order now</button></form>`);
      await page.getByLabel('Name').waitFor();
      assert.deepEqual(await page.getByRole('button').allTextContents(), ['Order now']);
      const element = page.locator('storefront-form');
      assert.deepEqual(
        await element.evaluate((one: StorefrontFormElement) => {
          const form = one.closest('form');
          return [
            one.form === form,
            [...(form?.elements ?? [])].includes(one),
            form?.checkValidity(),
            one.validity.valueMissing,
          ];
        }),
        [true, true, false, true],
      );
      await page.getByRole('button').click();
      assert.equal(await focused(page), 'name', 'the browser points at the first fault');
      assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true');
      await fillIn(page);
      await page.getByLabel('Tea').check();
      await page.getByLabel('Cake').check();
      await element.evaluate((one: StorefrontFormElement) => (one.data = { campaign: 'autumn' }));
      await page.getByLabel('Name').press('Enter');
      await page.getByText('Elsewhere').waitFor();
      assert.deepEqual(
        [...(shop.posted[0] ?? [])].map(([name, value]) => `${name}=${value}`),
        [
          'order=7',
          'name=Ada Lovelace',
          'mail=ada@example.com',
          'size=l',
          'meal=soup',
          'extras=tea',
          'extras=cake',
          'consent=true',
          'campaign=autumn',
        ],
      );
      assert.deepEqual(submissions(), [], 'the page’s server is whom the page sends to');
      assert.deepEqual(faults, []);
    });

    it('follows the page’s form when it is reset, disabled, and left', async () => {
      const { page } = await shop.open(
        `<form><fieldset>${shop.element('contact')}</fieldset></form><div id="out"></div>`,
      );
      await page.getByLabel('Name').fill('Ada');
      const element = page.locator('storefront-form');
      const entries = async (): Promise<unknown> =>
        page.evaluate(() => [...new FormData(document.querySelector('form') ?? undefined).keys()]);
      assert.deepEqual(await entries(), ['name']);
      await page.evaluate(() => document.querySelector('fieldset')?.setAttribute('disabled', ''));
      assert.equal(await page.getByLabel('Name').isDisabled(), true);
      assert.deepEqual(await entries(), []);
      await page.evaluate(() => document.querySelector('fieldset')?.removeAttribute('disabled'));
      await page.evaluate(() => document.querySelector('form')?.reset());
      assert.equal(await page.getByLabel('Name').inputValue(), '');
      await element.evaluate((one) => document.querySelector('#out')?.append(one));
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(thanks).waitFor();
    });

    it('works under a policy that admits scripts and calls by origin only, with trusted types', async () => {
      const storefront = new URL(shop.storefront.baseUrl).origin;
      const csp = `default-src 'none'; script-src ${storefront}; style-src 'self'; connect-src ${storefront}; img-src data:; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
      const { page, faults } = await shop.open(shop.element('every'), { csp });
      const button = await drawn(page);
      await button.click();
      await page.getByRole('alert').waitFor();
      await fillIn(page);
      await button.click();
      await page.getByText(thanks).waitFor();
      assert.deepEqual(faults, []);
    });

    it('says to whoever builds the page what it lacks', async () => {
      const { page, faults } = await shop.open('<storefront-form form-id="contact" sdk-key="pk"></storefront-form>', {
        sdk: false,
      });
      const { origin } = new URL(page.url());
      await page.route(`${origin}/app.js`, async (route) =>
        route.fulfill({ contentType: 'text/javascript', body: built.toString() }),
      );
      await page.evaluate(async () => import(`${location.origin}/app.js`));
      await page.waitForFunction(() => customElements.get('storefront-form') !== undefined);
      assert.match(faults.join(), /base-url/);
      assert.deepEqual(shop.storefront.seen, []);
    });

    it('finds the storefront by the address its script came from', async () => {
      const { page } = await shop.open(
        `<storefront-form form-id="contact" sdk-key="${shop.storefront.key}"></storefront-form>`,
      );
      await drawn(page);
      assert.deepEqual(shop.storefront.seen, ['GET schema 200']);
    });

    it('shows hostile texts as texts', async () => {
      const evil = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=2</script>';
      const hostile = published(
        'contact',
        [
          { name: 'a', label: evil, helpText: evil, placeholder: evil, required: true },
          { name: 'b', label: evil, type: 'select', options: [{ value: evil, label: evil }] },
          { name: 'c', label: evil, type: 'radio', options: [{ value: '"><svg onload=alert(1)>', label: evil }] },
        ],
        [{ field: 'a', rule: 'min_length', value: 99, message: evil }],
      );
      shop.storefront.forms.set('contact', hostile);
      const { page, faults } = await shop.open(shop.element('contact', `submit-label='${evil}'`));
      const button = await drawn(page);
      await page.locator('[name=a]').fill('x');
      await button.click();
      await page.getByRole('link', { name: evil }).waitFor();
      const errors = [
        { pointer: '/data/a', code: 'x', detail: evil },
        { pointer: '/data', code: 'x', detail: evil },
      ];
      shop.storefront.instead.submit.push({ status: 400, body: problem('x', 400, { detail: evil, errors }) });
      await page.locator('[name=a]').fill('x'.repeat(99));
      await button.click();
      await page.getByRole('listitem').filter({ hasText: evil }).nth(1).waitFor();
      assert.deepEqual(
        await page.evaluate(() => [
          'pwned' in globalThis,
          document.querySelector('storefront-form')?.shadowRoot?.querySelectorAll('img, script, svg').length,
        ]),
        [false, 0],
      );
      assert.deepEqual(
        faults.filter((fault) => !fault.includes('400')),
        [],
      );
    });

    it('is not led astray by fields that are called like members of a form', async () => {
      const names = [
        'submit',
        'requestSubmit',
        'elements',
        'addEventListener',
        'append',
        'hidden',
        'reset',
        'action',
        'method',
        'constructor',
        'hasOwnProperty',
      ];
      shop.storefront.forms.set(
        'contact',
        published(
          'contact',
          names.map((name) => ({ name })),
        ),
      );
      const { page, faults } = await shop.open(shop.element('contact'));
      const button = await drawn(page);
      for (const name of names) await page.locator(`[name=${name}]`).fill(name);
      await button.click();
      await page.getByText(thanks).waitFor();
      assert.deepEqual(shop.storefront.taken, [Object.fromEntries(names.map((name) => [name, name]))]);
      assert.deepEqual(faults, []);
    });

    it('tells the page what happens, and lets it add to what is sent or hold it back', async () => {
      const { page } = await shop.open(shop.element('contact'));
      const button = await drawn(page);
      await page.evaluate(() => {
        const log: string[] = [];
        Object.assign(globalThis, { log, held: true });
        for (const name of ['submit', 'success', 'error'])
          document.addEventListener(`storefront-${name}`, (event) => {
            const { detail } = event as CustomEvent<Record<string, unknown>>;
            log.push(
              `${name} ${String(detail['formId'] ?? detail['code'])} ${String(detail['submissionId'] ?? '')}`.trim(),
            );
            if (name !== 'submit') return;
            (detail['data'] as Record<string, unknown>)['campaign'] = 'autumn';
            if ((globalThis as { held?: boolean }).held) event.preventDefault();
          });
      });
      await page.getByLabel('Name').fill('Ada');
      await button.click();
      await page.evaluate(() => Object.assign(globalThis, { held: false }));
      assert.deepEqual(submissions(), []);
      shop.storefront.instead.submit.push({ status: 500, body: problem('internal_error', 500) });
      await button.click();
      await page.getByText('Something went wrong.').waitFor();
      await button.click();
      await page.getByText(thanks).waitFor();
      assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { log: string[] }).log), [
        'submit contact',
        'submit contact',
        'error internal_error',
        'submit contact',
        'success contact s-1',
      ]);
      assert.deepEqual(shop.storefront.taken, [{ name: 'Ada', campaign: 'autumn' }]);
    });

    it('takes properties that were set before its class was there, as frameworks do', async () => {
      const { page } = await shop.open('<storefront-form></storefront-form>', { sdk: false });
      await page.evaluate(({ key, baseUrl }) => {
        Object.assign(document.querySelector('storefront-form') ?? {}, {
          formId: 'contact',
          sdkKey: key,
          baseUrl,
          locale: 'de',
          messages: { submit: 'Los' },
          data: { name: 'Ada', unknown: 1 },
        });
        const script = document.createElement('script');
        script.type = 'module';
        script.src = `${baseUrl}/sdk.js`;
        document.head.append(script, script.cloneNode());
      }, shop.storefront);
      await page.getByRole('button', { name: 'Los' }).click();
      await page.getByText('Vielen Dank').waitFor();
      assert.deepEqual(shop.storefront.taken, [{ name: 'Ada' }]);
      assert.deepEqual(shop.storefront.seen, ['GET schema 200', 'POST submit 201']);
    });

    it('fills in anew what the page changes of its data, and not what a rerender only repeats', async () => {
      const { page } = await shop.open(shop.element('every'));
      await drawn(page);
      const give = async (data: Record<string, unknown>): Promise<unknown> =>
        page.locator('storefront-form').evaluate((one: StorefrontFormElement, given) => (one.data = given), data);
      const name = page.getByLabel('Name');
      await give({ name: 'Ada', campaign: 'spring', extras: ['tea'] });
      await name.fill('Grace');
      await give({ name: 'Ada', campaign: 'autumn', extras: ['tea'] });
      const held = async (): Promise<unknown> =>
        page.locator('storefront-form').evaluate((one: StorefrontFormElement) => one.data);
      assert.deepEqual(await held(), { name: 'Grace', campaign: 'autumn', extras: ['tea'], consent: false });
      await page.locator('storefront-form').evaluate((one: StorefrontFormElement) => {
        one.reset();
        one.data = undefined;
      });
      await give({ name: 'Ada' });
      assert.equal(await name.inputValue(), 'Ada', 'after a reset it is filled in again');
    });

    it('takes a property away that is set to nothing, as frameworks do', async () => {
      const { page } = await shop.open(shop.element('contact', 'locale="de"'));
      await page.getByRole('button', { name: 'Absenden' }).waitFor();
      const element = page.locator('storefront-form');
      await element.evaluate((one: StorefrontFormElement) => (one.locale = undefined));
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await element.evaluate((one: StorefrontFormElement) => (one.formId = null));
      await page.getByRole('button', { name: 'Send' }).waitFor({ state: 'hidden' });
      assert.deepEqual(
        await element.evaluate((one: StorefrontFormElement) => [one.outerHTML.includes('form-id'), one.formId]),
        [false, ''],
      );
    });

    it('does all but its states where the browser does not know them', async () => {
      const { page, faults } = await shop.open('', { sdk: false });
      await page.evaluate(
        ({ baseUrl, markup }) => {
          CustomStateSet.prototype.add = () => {
            throw new SyntaxError();
          };
          document.body.insertAdjacentHTML('beforeend', markup);
          const script = document.createElement('script');
          script.type = 'module';
          script.src = `${baseUrl}/sdk.js`;
          document.head.append(script);
        },
        { baseUrl: shop.storefront.baseUrl, markup: shop.element('contact') },
      );
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('Name').press('Enter');
      await page.getByText(thanks).waitFor();
      assert.deepEqual(faults, []);
    });

    it('says in the language of the moment why there is no form, and keeps what it was given for the next try', async () => {
      shop.storefront.instead.schema.push({ status: 503, body: problem('unavailable', 503) });
      const { page } = await shop.open(shop.element('contact').replace('></', '><p>shop@example.com</p></'));
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.locator('storefront-form').evaluate((one: StorefrontFormElement) => {
        one.data = { name: 'Ada' };
        one.locale = 'de';
      });
      await page.getByRole('status').filter({ hasText: 'Etwas ist schiefgegangen.' }).waitFor();
      assert.equal(await page.getByText('shop@example.com').isVisible(), true);
      await page.getByRole('button', { name: 'Erneut versuchen' }).click();
      await page.getByRole('button', { name: 'Absenden' }).waitFor();
      assert.equal(await page.getByLabel('Name').inputValue(), 'Ada');
    });

    it('shows what stands inside it where there is no script, or no form, and tries again when asked', async () => {
      const markup = shop.element('contact').replace('></', '><p>Write to us: shop@example.com</p></');
      const bare = await shop.open(markup, { javaScriptEnabled: false });
      assert.equal(await bare.page.getByText('shop@example.com').isVisible(), true);
      shop.storefront.instead.schema.push({ status: 503, body: problem('unavailable', 503) });
      const { page } = await shop.open(markup);
      await page.getByRole('status').filter({ hasText: 'Something went wrong.' }).waitFor();
      assert.equal(await page.getByText('shop@example.com').isVisible(), true);
      shop.storefront.instead.schema.push({ status: 503, body: problem('unavailable', 503) });
      const again = page.getByRole('button', { name: 'Try again' });
      await again.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('storefront-form')?.matches(':state(failed)'));
      assert.equal(await again.evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one), true);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Send' }).waitFor();
      assert.equal(await focused(page), 'name', 'the focus is not lost with the button');
      assert.equal(await page.getByText('shop@example.com').isVisible(), false);
    });

    it('keeps what the page put into hidden fields when it is emptied', async () => {
      const { page } = await shop.open(shop.element('every'));
      await drawn(page);
      const kept = await page.locator('storefront-form').evaluate((one: StorefrontFormElement) => {
        one.data = { campaign: 'autumn', name: 'Ada', extras: ['cake'] };
        one.reset();
        return one.data;
      });
      assert.deepEqual(kept, { campaign: 'autumn', consent: false });
    });

    it('says its own thanks where the page gives them, and can be used again', async () => {
      const { page } = await shop.open(shop.element('contact').replace('></', '><p slot="success">Danke sehr!</p></'));
      const button = await drawn(page);
      assert.equal(await page.getByText('Danke sehr!').isVisible(), false);
      await page.getByLabel('Name').fill('Ada');
      await button.click();
      await page.getByText('Danke sehr!').waitFor();
      await page.locator('storefront-form').evaluate((one: StorefrontFormElement) => one.reset());
      assert.equal(await page.getByLabel('Name').inputValue(), '');
      assert.equal(await page.getByText('Danke sehr!').isVisible(), false);
    });

    it('is themed by custom properties and parts, follows the direction of the page, and lies still', async () => {
      const { page } = await shop.open(
        `<style>storefront-form { --storefront-accent: rgb(1, 2, 3) } storefront-form::part(control) { background: rgb(4, 5, 6) }</style>${shop.element('contact')}`,
        { html: 'lang="ar" dir="rtl"' },
      );
      const button = await drawn(page);
      const style = async (selector: string, property: string): Promise<string> =>
        page
          .locator(selector)
          .first()
          .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
      assert.equal(await style('storefront-form [part=button]', 'background-color'), 'rgb(1, 2, 3)');
      assert.equal(await style('storefront-form [part=control]', 'background-color'), 'rgb(4, 5, 6)');
      await button.click();
      await page.getByRole('alert').waitFor();
      assert.equal(await style('storefront-form ul', 'padding-left'), '0px');
      assert.notEqual(await style('storefront-form ul', 'padding-right'), '0px');
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    });

    it('gives back what was typed when the visitor comes back', async () => {
      const { page } = await shop.open(shop.element('every'));
      await drawn(page);
      await fillIn(page);
      await page.getByLabel('Tea').check();
      const address = page.url();
      await page.goto(`${shop.origin}/other`);
      await page.goBack();
      assert.equal(page.url(), address);
      await drawn(page);
      assert.equal(await page.getByLabel('Name').inputValue(), 'Ada Lovelace');
      assert.deepEqual(
        await Promise.all(['Tea', 'Cake', 'Soup', 'I agree'].map(async (label) => page.getByLabel(label).isChecked())),
        [true, false, true, true],
      );
    });

    it('is filled by the browser’s autofill through its shadow root', async () => {
      const form = published('contact', [
        { name: 'given', label: 'First name', mapsTo: 'first_name' },
        { name: 'family', label: 'Last name', mapsTo: 'last_name' },
        { name: 'street', label: 'Street' },
        { name: 'city', label: 'City' },
        { name: 'zip', label: 'Code', mapsTo: 'postal_code' },
        { name: 'mail', label: 'E-mail', type: 'email', mapsTo: 'email' },
      ]);
      shop.storefront.forms.set('contact', form);
      const { page } = await shop.open(shop.element('contact'));
      await drawn(page);
      const session = await page.context().newCDPSession(page);
      const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
      interface Node {
        nodeName: string;
        backendNodeId: number;
        attributes?: string[];
        children?: Node[];
        shadowRoots?: Node[];
      }
      const find = (node: Node): Node | undefined =>
        node.nodeName === 'INPUT' && node.attributes?.includes('mail')
          ? node
          : [...(node.children ?? []), ...(node.shadowRoots ?? [])].map(find).find((one) => one !== undefined);
      const field = find(root as Node);
      assert.ok(field !== undefined);
      const values = {
        NAME_FIRST: 'Ada',
        NAME_LAST: 'Lovelace',
        ADDRESS_HOME_LINE1: '12 St James Square',
        ADDRESS_HOME_CITY: 'London',
        ADDRESS_HOME_ZIP: 'SW1Y 4JH',
        EMAIL_ADDRESS: 'ada@example.com',
      };
      const fields = Object.entries(values).map(([name, value]) => ({ name, value }));
      await session.send('Autofill.trigger' as never, { fieldId: field.backendNodeId, address: { fields } } as never);
      await page.waitForFunction(() => document.querySelector('storefront-form')?.data['mail'] !== undefined);
      assert.deepEqual(await page.locator('storefront-form').evaluate((one: StorefrontFormElement) => one.data), {
        given: 'Ada',
        family: 'Lovelace',
        street: '12 St James Square',
        city: 'London',
        zip: 'SW1Y 4JH',
        mail: 'ada@example.com',
      });
    });
  });
}
