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

export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with credentials where needed (`SMTP_URL`). Its query may set any option of nodemailer's SMTP transport. */
  readonly url: string;
  /** `MAIL_FROM` */
  readonly from: string;
}

export interface SmtpTransport {
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
export function openSmtp(settings: SmtpSettings): SmtpTransport {
  let loaded: Promise<SmtpTransport> | undefined;
  return {
    send: async (message, signal) => (await (loaded ??= load(settings))).send(message, signal),
    close: () =>
      void loaded?.then(
        (transport) => transport.close(),
        () => undefined,
      ),
  };
}

async function load({ url, from }: SmtpSettings): Promise<SmtpTransport> {
  const [{ createTransport }, { default: addressparser }] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/addressparser'),
  ]);
  const transport = createTransport({
    url,
    ...pooled,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = addressparser(from, { flatten: true })[0]?.address.split('@').at(-1) ?? 'localhost';
  return {
    send: async ({ to, subject, text, html, id, date, unsubscribe, replyTo }, signal) => {
      await transport.sendMail({
        from,
        // As an object it is one address, whatever is in it: text would be read as a list.
        to: { name: '', address: to },
        ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        ...(html === undefined || html === null ? {} : { html }),
        messageId: `<${id}@${domain}>`,
        ...(date === undefined ? {} : { date }),
        ...(signal === undefined ? {} : { signal }),
        xMailer: false,
        headers: {
          'auto-submitted': 'auto-generated',
          'x-auto-response-suppress': 'All',
          ...(unsubscribe === undefined
            ? {}
            : { 'list-unsubscribe': `<${unsubscribe}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }),
        },
      });
    },
    close: () => transport.close({ force: true }),
  };
}
