import {
  formHeaders,
  html,
  pageText,
  takeFiles,
  type Html,
  type Reply,
  type Request,
  type Scope,
} from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Reader, Recipients } from './recipients.ts';
import type { Linked } from './links.ts';

/** Of a form with one button, or of a mail program's own request (RFC 8058), which says nothing that is not in the address. */
const mostBytes = 4_096;

/** Of one reader to one tenant: the tenant's audit log records each change, and nobody outside may fill it. */
const changes = { name: 'letter-changes', allowed: 30, windowSeconds: 3_600 };

export interface RecipientPagesOptions {
  readonly recipients: Recipients;
  /** `{studio_api_url}` */
  readonly studio: string;
  readonly limiter: Limiter;
}

/**
 * The pages behind the links in emails about forms: no login, no script. Opening one changes nothing, because programs that
 * scan mail open them too. Pressing its button changes something, and so does a mail program's one-click request.
 */
export async function recipientPages(
  scope: Scope,
  { recipients, studio, limiter }: RecipientPagesOptions,
): Promise<void> {
  await scope.register(async (pages) => {
    takeFiles(pages, ['application/x-www-form-urlencoded', 'multipart/form-data'], mostBytes);
    const serve = (
      method: 'get' | 'post',
      kind: 'confirm' | 'unsubscribe',
      path: '' | '/undo',
      work: (linked: Linked) => Promise<Reader>,
      main: (reader: Reader, at: string) => Html,
    ): void => {
      const tokenOf = (request: Request): string => (request.params as { token: string }).token;
      // Before a body is read: nobody without a link has one looked at.
      const onRequest = async (request: Request, reply: Reply): Promise<Reply | undefined> => {
        const linked = recipients.open(kind, tokenOf(request));
        if (linked === undefined) return send(reply, goneMain(), 404);
        if (method === 'get') return undefined;
        const { refusal } = await limiter.take([{ limit: changes, key: `${linked.tenant} ${linked.address}` }]);
        if (refusal !== undefined) throw refusal;
        return undefined;
      };
      pages[method](`/letters/${kind}/:token${path}`, { onRequest }, async (request, reply) => {
        const linked = recipients.open(kind, tokenOf(request));
        if (linked === undefined) return send(reply, goneMain(), 404);
        return send(reply, main(await work(linked), `${studio}/letters/${kind}/${tokenOf(request)}`), 200);
      });
    };
    serve('get', 'confirm', '', recipients.look, confirmMain);
    serve('post', 'confirm', '', recipients.confirm, () => confirmedMain());
    serve('get', 'unsubscribe', '', recipients.look, unsubscribeMain);
    serve('post', 'unsubscribe', '', recipients.unsubscribe, unsubscribeMain);
    serve('post', 'unsubscribe', '/undo', recipients.resubscribe, resubscribedMain);
  });
}

const send = (reply: Reply, main: Html, status: number): Reply =>
  reply.code(status).headers(formHeaders).send(pageText('Letters of an organization', main));

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
      take your address off their lists, and have you asked again.
    </p>`;

function confirmMain(reader: Reader, at: string): Html {
  if (reader.confirmed && !reader.unsubscribed) return confirmedMain();
  return html`<h1>Do you want these letters?</h1>
    ${whose(reader)}
    <p>
      What visitors send through their forms, or order in their shops, would be told to the address that this letter
      came to, where they name it.
    </p>
    ${button(at, 'Yes, send me these letters')}
    <p>If you do not want them, close this page: nothing has happened.</p>`;
}

const confirmedMain = (): Html =>
  html`<h1>Your address is confirmed</h1>
    <p>
      You are told what visitors send through the forms, or order in the shops, that name it. Each letter has a link
      that ends them.
    </p>`;

const unsubscribeMain = (reader: Reader, at: string): Html =>
  reader.unsubscribed
    ? html`<h1>You get no more of these letters</h1>
        ${whose(reader)}
        <p>They can see that you want none, and cannot change it. Letters that were on their way may still come.</p>
        ${button(`${at}/undo`, 'I want them again')}`
    : html`<h1>End these letters?</h1>
        ${whose(reader)}
        <p>You would get no more letters about their forms and orders at the address that this letter came to.</p>
        ${button(at, 'End these letters')}`;

const resubscribedMain = (reader: Reader, at: string): Html =>
  html`<h1>These letters are on again</h1>
    ${whose(reader)}
    <p>What visitors send through their forms, or order, may be told to the address that this letter came to again.</p>
    ${button(at, 'End these letters')}`;
