import { html, type Html, type Reply, type Scope } from '@steward/kernel';
import type { Reader, RecipientDesk } from '@steward/studio';
import { formHeaders, pageText } from './page.ts';

/** Of a form with one button, or of a mail program's own request (RFC 8058), which says nothing that is not in the address. */
const mostBytes = 4_096;

/**
 * Where links in letters about forms lead, for whoever reads them: no login, no script. Opening one changes nothing, as programs that
 * look at mail open them too; pressing its button does, and so does a mail program's one-click request.
 */
export async function letterPages(scope: Scope, desk: RecipientDesk, studio: string): Promise<void> {
  await scope.register(async (pages) => {
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, _body, done) =>
      done(null),
    );
    const serve = (
      method: 'get' | 'post',
      kind: 'confirm' | 'unsubscribe',
      path: '' | '/undo',
      work: (token: string) => Promise<Reader | undefined>,
      main: (reader: Reader, at: string) => Html,
    ): void => {
      pages[method](`/letters/${kind}/:token${path}`, async (request, reply) => {
        const { token } = request.params as { token: string };
        const reader = await work(token);
        if (reader === undefined) return send(reply, goneMain(), 404);
        return send(reply, main(reader, `${studio}/letters/${kind}/${token}`), 200);
      });
    };
    serve('get', 'confirm', '', async (token) => desk.look('confirm', token), confirmMain);
    serve('post', 'confirm', '', desk.confirm, () => confirmedMain());
    serve('get', 'unsubscribe', '', async (token) => desk.look('unsubscribe', token), unsubscribeMain);
    serve('post', 'unsubscribe', '', desk.unsubscribe, unsubscribeMain);
    serve('post', 'unsubscribe', '/undo', desk.resubscribe, unsubscribeMain);
  });
}

const send = (reply: Reply, main: Html, status: number): Reply =>
  reply.code(status).headers(formHeaders).send(pageText('Letters about a form', main));

const button = (action: string, words: string): Html =>
  html`<form method="post" action="${action}"><button>${words}</button></form>`;

const whose = ({ sites }: Reader): Html =>
  sites.length === 0
    ? html`<p>The organization that named your address has no website here any more.</p>`
    : html`<p>The organization that named your address has these websites:</p>
        <ul>
          ${sites.map((name) => html`<li><bdi>${name}</bdi></li>`)}
        </ul>`;

const goneMain = (): Html =>
  html`<h1>This link leads nowhere any more</h1>
    <p>
      It is not complete, or too old. Use the link of a newer letter, or write to whoever has you written to: they can
      take your address out of their form, and have you asked again.
    </p>`;

function confirmMain(reader: Reader, at: string): Html {
  if (reader.confirmed && !reader.unsubscribed) return confirmedMain();
  return html`<h1>Do you want these letters?</h1>
    ${whose(reader)}
    <p>Whatever visitors send through their forms would be told to the address that this letter came to.</p>
    ${button(at, 'Yes, send me these letters')}
    <p>If you do not want them, close this page: nothing has happened.</p>`;
}

const confirmedMain = (): Html =>
  html`<h1>Your address is confirmed</h1>
    <p>You are told what visitors send through the forms that name it. Each letter has a link that ends them.</p>`;

const unsubscribeMain = (reader: Reader, at: string): Html =>
  reader.unsubscribed
    ? html`<h1>You get no more of these letters</h1>
        ${whose(reader)}
        <p>They can see that you want none, and cannot change it. Letters that were on their way may still come.</p>
        ${button(`${at}/undo`, 'I want them again')}`
    : html`<h1>End these letters?</h1>
        ${whose(reader)}
        <p>You would get no more letters about their forms at the address that this letter came to.</p>
        ${button(at, 'End these letters')}`;
