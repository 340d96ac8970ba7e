import { ConfigError, settings, text, type Source } from '@steward/kernel';

export interface MailSettings {
  /** Undefined: nothing is sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined;
}

const variables = {
  SMTP_URL: {
    default: '',
    says:
      'Mail server for notifications, such as smtps://user:password@mail.example.com; see the operator guide. Empty: ' +
      'nothing is sent, and e-mails wait for three days.',
  },
  MAIL_FROM: {
    default: 'Steward <steward@localhost>',
    says: 'Sender of the e-mails: one address, with or without a name.',
  },
} as const;

export const mailSettings = settings(variables, (env): MailSettings => ({ mail: readMail(env) }));

function readMail(env: Source<keyof typeof variables>): MailSettings['mail'] {
  const url = text(env, 'SMTP_URL');
  if (url === '') return undefined;
  const parsed = URL.parse(url);
  if (parsed === null) throw new ConfigError('SMTP_URL is no URL: check its host and its port (1 to 65535).');
  if (!/^smtps?:$/.test(parsed.protocol)) throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL.');
  const from = text(env, 'MAIL_FROM');
  if (!/^(?:[^<>\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(from)) {
    throw new ConfigError('MAIL_FROM must be one address, such as Steward <steward@example.com>.');
  }
  return { url, from };
}
