import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Email {
  readonly to: string[];
  /** As it came over the wire. */
  readonly head: string;
  /** Of all parts, as people read it: quoted-printable is undone, and base64 where the email is one part. */
  readonly body: string;
}

/** A mail server on a real port that keeps what it is sent. */
export interface Mailbox extends AsyncDisposable {
  readonly url: string;
  readonly emails: readonly Email[];
  /** Recipients that it does not know. */
  readonly unknown: Set<string>;
}

const readable = (head: string, body: string): string =>
  /^Content-Transfer-Encoding: base64\r?$/im.test(head)
    ? Buffer.from(body, 'base64').toString()
    : body
        .replaceAll('=\r\n', '')
        .replaceAll(/(?:=[\dA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());

export async function openMailbox(): Promise<Mailbox> {
  const emails: Email[] = [];
  const unknown = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) =>
      done(unknown.has(address) ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null),
    onData: (stream, { envelope }, done) => {
      let source = '';
      stream.on('data', (chunk) => (source += String(chunk)));
      stream.on('end', () => {
        const split = source.indexOf('\r\n\r\n');
        emails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          head: source.slice(0, split),
          body: readable(source.slice(0, split), source.slice(split)),
        });
        done();
      });
    },
  });
  // A server that is killed leaves in the middle of a conversation.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    emails,
    unknown,
    [Symbol.asyncDispose]: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
