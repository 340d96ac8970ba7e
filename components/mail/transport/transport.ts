import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | null;
  /** What the Message-ID is made of. */
  readonly id: string;
  readonly date?: Date;
  /** Where a POST ends emails to this recipient, and a person can (RFC 8058). */
  readonly unsubscribe?: string | undefined;
  /** One address. */
  readonly replyTo?: string | undefined;
}

export type TransportSettings = {
  /** `MAIL_FROM` */
  readonly from: string;
} & (
  | {
      /** `smtp://` or `smtps://`, with credentials where needed (`SMTP_URL`). Its query may set any option of nodemailer's SMTP transport. */
      readonly url: string;
    }
  | {
      /** Takes each email as a file, for people who try the product (`MAIL_FOLDER`). */
      readonly folder: string;
    }
);

export interface Transport {
  send(message: Message, signal?: AbortSignal): Promise<void>;
  /** Ends the connections, also those that are being used. */
  close(): void;
}

/** Connections kept open to the mail server, and so messages at a time, of one process. */
export const connections = 5;

/** An email that a stale connection took not a byte of goes over another at once; other retries are counted and spaced here. */
const pooled = { pool: true, maxConnections: connections, maxMessages: 100, maxRequeues: 2 } as const;

/**
 * TLS from the first byte with `smtps:`; with `smtp:` as soon as the server offers it, its certificate being checked. The library
 * is loaded for the first email: it takes a twentieth of a start, and many processes send none.
 */
export function openTransport(settings: TransportSettings): Transport {
  let loaded: Promise<Transport> | undefined;
  return {
    send: async (message, signal) => (await (loaded ??= load(settings))).send(message, signal),
    close: () =>
      void loaded?.then(
        (transport) => transport.close(),
        () => undefined,
      ),
  };
}

async function load(settings: TransportSettings): Promise<Transport> {
  const [{ createTransport }, { default: addressparser }] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/addressparser'),
  ]);
  const { from } = settings;
  const domain = addressparser(from, { flatten: true })[0]?.address.split('@').at(-1) ?? 'localhost';
  const mailOf = (message: Message) => ({ from, ...partsOf(message), messageId: `<${message.id}@${domain}>` });
  const closed = { disableFileAccess: true, disableUrlAccess: true } as const;
  if ('folder' in settings) {
    const composer = createTransport({ streamTransport: true, buffer: true, ...closed });
    return {
      send: async (message) => {
        const { message: source } = await composer.sendMail(mailOf(message));
        if (!Buffer.isBuffer(source)) throw new Error('the composer answers the whole email');
        await keep(settings.folder, message, source);
      },
      close: () => composer.close(),
    };
  }
  const transport = createTransport({
    url: settings.url,
    ...pooled,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    ...closed,
  });
  return {
    send: async (message, signal) => {
      await transport.sendMail({ ...mailOf(message), ...(signal === undefined ? {} : { signal }) });
    },
    close: () => transport.close({ force: true }),
  };
}

const partsOf = ({ to, subject, text, html, date, unsubscribe, replyTo }: Message) => ({
  // As an object it is one address, whatever is in it: text would be read as a list.
  to: { name: '', address: to },
  ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  subject,
  text,
  ...(html === undefined || html === null ? {} : { html }),
  ...(date === undefined ? {} : { date }),
  xMailer: false as const,
  headers: {
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    ...(unsubscribe === undefined
      ? {}
      : { 'list-unsubscribe': `<${unsubscribe}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }),
  },
});

/**
 * The email as its recipient would get it (`.eml`, for mail programs) and what it says (`.txt`), by time. An email that is sent again has the
 * same names. Only the owner of the process may read them: they have the words and the address of somebody.
 */
async function keep(folder: string, { id, date, to, subject, text }: Message, source: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${(date ?? new Date()).toISOString().replaceAll(':', '-')} ${id}`;
  for (const [kind, content] of [
    ['eml', source],
    ['txt', `To: ${to}\nSubject: ${subject}\n\n${text}`],
  ] as const) {
    const path = join(folder, `${name}.${kind}`);
    await writeFile(`${path}.part`, content, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }
}
