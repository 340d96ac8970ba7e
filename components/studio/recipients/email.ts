import { html, type Html } from '@steward/kernel';
import type { Email } from '@steward/mail';

type Words = Pick<Email, 'subject' | 'text' | 'html'>;

/**
 * Only our own words, for readers whom nobody may ever have asked: the page says who wants it.
 * @param told whether it is written to before it confirms, so that doing nothing would not end it
 */
export function confirmationEmail(
  confirm: string,
  unsubscribe: string,
  told: boolean,
  about: 'form' | 'orders' = 'form',
): Words {
  const intro =
    `Somebody gave this address to ${about === 'form' ? 'receive what visitors send through the form of a website' : 'be told of new orders of a shop'}. ` +
    'The page below says whose website it is. If you want these letters, confirm on that page within seven days:';
  const otherwise = told
    ? 'They may come until you stop them. If you did not expect this, stop them here:'
    : 'If you did not expect this, do nothing. To stop these requests:';
  return {
    subject: about === 'form' ? 'Do you want letters about a form?' : 'Do you want letters about new orders?',
    text: [intro, '', confirm, '', otherwise, '', unsubscribe, ''].join('\n'),
    html: page(
      html`<p>${intro}</p>
        <p><a href="${confirm}">Look at it and confirm</a></p>
        <p>${otherwise} <a href="${unsubscribe}">no such letters</a></p>`,
    ),
  };
}

/** The footer of an email: how to confirm, if that is open, and how to end the emails. */
export interface Closing {
  readonly text: string;
  readonly html: Html;
}

export function closing(unsubscribe: string, confirm: string | undefined): Closing {
  const why = 'This organization gave your address as a recipient of one of its forms.';
  return {
    text: [
      '-- ',
      ...(confirm === undefined ? [] : [`${why} To confirm that you want these letters: ${confirm}`]),
      `To unsubscribe: ${unsubscribe}`,
      '',
    ].join('\n'),
    html: html`${
        confirm === undefined ? '' : html`<p>${why} <a href="${confirm}">Confirm that you want these letters</a></p>`
      }
      <p><a href="${unsubscribe}">End these letters</a></p>`,
  };
}

const page = (main: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Letters</title>
      </head>
      <body style="font-family:sans-serif;line-height:1.5">
        ${main}
      </body>
    </html>`.text;
