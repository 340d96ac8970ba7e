import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { html, Html, dictionary } from '@steward/kernel';

const style = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 2rem 1rem; }
main { max-width: 28rem; margin: 0 auto; }
h1 { font-size: 1.4rem; line-height: 1.2; }
label, legend { font-weight: 600; }
input[type="email"], button { font: inherit; padding: .6rem .8rem; border-radius: .4rem; border: 1px solid #767676; }
input[type="email"] { box-sizing: border-box; width: 100%; margin: .3rem 0 1rem; }
fieldset { border: 1px solid #767676; border-radius: .4rem; margin: 1rem 0; }
fieldset label { display: block; font-weight: 400; padding: .2rem 0; }
button { cursor: pointer; margin: 0 .4rem .4rem 0; }
button.first { background: #0b57d0; border-color: #0b57d0; color: #fff; }
code { overflow-wrap: anywhere; }
.warning { border: 2px solid #b3261e; border-radius: .4rem; padding: .6rem .8rem; }
.note { font-size: .9rem; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');
/** Outside the template below: formatters may add white space there, and the hash counts every character. */
const styleElement = new Html(`<style>${style}</style>`);

export interface Page {
  readonly title: string;
  readonly main: Html;
  /** The provider runs where strangers can reach it. */
  readonly unsafePublic: boolean;
}

/** A whole page: no script, nothing from elsewhere. */
export function pageText({ title, main, unsafePublic }: Page): string {
  const warning = unsafePublic
    ? html`<p class="warning" role="alert">
        <strong>DEV_IDP=unsafe-public:</strong> anyone who can open this page can sign in as anybody. Throw this
        installation away afterwards.
      </p>`
    : html``;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Steward</title>
        ${styleElement}
      </head>
      <body>
        <main>
          ${warning} ${main}
          <p class="note">Development identity provider: it believes whatever you type. Never use it with real data.</p>
        </main>
      </body>
    </html> `.text;
}

/**
 * Headers of every page. There is no `form-action`: browsers apply it to the redirects that follow a form, and those
 * lead to the client.
 */
export const pageHeaders = dictionary<string>({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

export function sendPage(response: ServerResponse, status: number, page: Page): void {
  const body = pageText(page);
  response.writeHead(status, { ...pageHeaders, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
