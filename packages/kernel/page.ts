import { createHash } from 'node:crypto';
import { html, Html } from './html.ts';

const style = `
:root { color-scheme: light dark; font: 100%/1.55 system-ui, sans-serif; --line: color-mix(in srgb, currentcolor 22%, transparent); }
body { margin: 0; padding: 2.5rem 1.25rem 4rem; }
main { max-width: 46rem; margin: 0 auto; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .5rem 0; }
a { color: inherit; text-underline-offset: .15em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; margin: .6rem 0; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; margin: .4rem 0; }
code, pre { font: .92em/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td code { overflow-wrap: anywhere; }
tr:target { background: color-mix(in srgb, #f5c400 25%, transparent); }
th.plain { font-weight: 400; }
.amount { text-align: end; white-space: nowrap; padding-inline: .8rem 0; font-variant-numeric: tabular-nums; }
label { display: block; margin: .9rem 0; font-weight: 600; }
label small { font-weight: 400; }
input, select { font: inherit; font-weight: 400; }
input:not([type=radio]), select { display: block; box-sizing: border-box; width: 100%; max-width: 28rem; margin-top: .3rem; padding: .6rem .7rem; border: 1px solid color-mix(in srgb, currentcolor 50%, transparent); border-radius: .5rem; background: field; color: fieldtext; }
label.choice { display: flex; gap: .7rem; max-width: 28rem; margin: 0; padding: .7rem 0; font-weight: 400; border-bottom: 1px solid var(--line); }
label.choice .amount { margin-inline-start: auto; }
button { font: inherit; padding: .6rem 1rem; border: 1px solid; border-radius: .5rem; cursor: pointer; }
button.first { background: #1e5b45; border-color: #1e5b45; color: #fff; font-weight: 600; }
:focus-visible { outline: 3px solid #0b57d0; outline-offset: 2px; }
.logo { background: #fff; color: #000; border-radius: .5rem; padding: .5rem; margin-inline-start: -.5rem; max-width: 100%; height: auto; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin-top: 2.4rem; }
.note { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; margin: 1.2rem 0; }
.warning { border: 2px solid #b3261e; border-radius: .5rem; padding: .6rem .9rem; margin: 1.2rem 0; }
`;

/** Outside the template below: formatters may add white space there, and the hash counts every character. */
const styleElement = new Html(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');

/** A whole page: no script, nothing from elsewhere. */
export const pageText = (title: string, main: Html, language = 'en'): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html> `.text;

/** Where else a page leads, at its end; nothing where it leads nowhere. */
export const navigation = (links: readonly { readonly name: string; readonly url: string }[]): Html =>
  links.length === 0
    ? html``
    : html`<nav>${links.map(({ name, url }) => html`<a href="${url}" rel="noreferrer">${name}</a>`)}</nav>`;

/** The address may be the secret: no cache keeps what it answers, and no search engine lists it. */
export const unseen = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow, noarchive' } as const;

type Own = "'none'" | "'self'";
const headersFor = ({ forms, pictures }: { forms: Own; pictures: Own }): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; img-src ${pictures}; style-src 'sha256-${styleHash}'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  ...unseen,
});

export const pageHeaders = headersFor({ forms: "'none'", pictures: "'none'" });
/** For a page whose buttons send something to its own address. */
export const formHeaders = headersFor({ forms: "'self'", pictures: "'none'" });
/** For a page that shows pictures that are served beside it. */
export const picturedHeaders = headersFor({ forms: "'none'", pictures: "'self'" });
