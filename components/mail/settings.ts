import { resolve } from 'node:path';
import { ConfigError, settings, text, type Source } from '@steward/kernel';
import type { TransportSettings } from './transport/transport.ts';

export interface MailSettings {
  /** Undefined: nothing is sent. */
  readonly mail: TransportSettings | undefined;
}

const variables = {
  SMTP_URL: {
    default: '',
    says:
      'Mail server for notifications, such as smtps://user:password@mail.example.com; see the operator guide. Empty: ' +
      'nothing is sent, and e-mails wait for three days.',
  },
  MAIL_FOLDER: {
    default: '',
    says:
      'Folder that takes the e-mails as files instead of a mail server, each as .eml and as .txt: to try the product, and to ' +
      'develop. Not together with SMTP_URL.',
  },
  MAIL_FROM: {
    default: 'Steward <steward@localhost>',
    says: 'Sender of the e-mails: one address, with or without a name.',
  },
} as const;

export const mailSettings = settings(variables, (env): MailSettings => ({ mail: readMail(env) }));

function readMail(env: Source<keyof typeof variables>): MailSettings['mail'] {
  const url = text(env, 'SMTP_URL');
  const folder = text(env, 'MAIL_FOLDER');
  if (url === '' && folder === '') return undefined;
  if (url !== '' && folder !== '')
    throw new ConfigError(
      'SMTP_URL and MAIL_FOLDER are both set: e-mails go to a mail server or into a folder. Set one.',
    );
  const from = text(env, 'MAIL_FROM');
  if (!/^(?:[^<>\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(from)) {
    throw new ConfigError('MAIL_FROM must be one address, such as Steward <steward@example.com>.');
  }
  if (folder !== '') return { folder: resolve(folder), from };
  const parsed = URL.parse(url);
  if (parsed === null) throw new ConfigError('SMTP_URL is no URL: check its host and its port (1 to 65535).');
  if (!/^smtps?:$/.test(parsed.protocol)) throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL.');
  return { url, from };
}
