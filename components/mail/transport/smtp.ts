import { createTransport } from 'nodemailer';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends one message, or rejects. */
export type Notify = (message: Message) => Promise<void>;

/** @param url `smtp://` or `smtps://`, with credentials where needed (`SMTP_URL`). @param from `MAIL_FROM` */
export function smtpNotify(url: string, from: string): Notify {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (message) => {
    await transport.sendMail({ from, ...message, headers: { 'auto-submitted': 'auto-generated' } });
  };
}
