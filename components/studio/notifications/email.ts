import { html, type Html } from '@steward/kernel';
import { lines, oneLine, type Email } from '@steward/mail';
import type { FormVersion } from '../forms/versions.ts';
import type { Closing } from '../recipients/email.ts';
import type { Submitted } from '../submissions/submitted.ts';
import { answersTo, type Answer } from './answers.ts';

/** What an email reports. */
export interface Told {
  readonly form: FormVersion;
  /** Name of the site. */
  readonly site: string;
  readonly submitted: Submitted;
  /** Where the submission can be read. */
  readonly page: string;
  /** Where all submissions to the form can be read. */
  readonly list: string;
}

/** `strangersSubject`: for readers who did not ask for it. It contains only our own words, or anybody could have us send theirs to anybody. */
interface Words {
  readonly subject: string;
  readonly strangersSubject: string;
  /** The email with its footer, which differs for each recipient. */
  closedBy(closing: Closing): Required<Pick<Email, 'text' | 'html'>>;
}

const warning =
  'A visitor typed what is quoted here. Nobody has checked it: be careful with addresses and links in it.';

/** What was submitted, field by field. The subject holds the owner's own words only: nothing of what was submitted. */
export function submissionEmail(told: Told, data: Readonly<Record<string, unknown>>): Words {
  const { form, submitted, page } = told;
  const { answers, others } = answersTo(form.fields, data);
  const test = submitted.mode === 'test';
  const intro = `${form.name} was submitted on ${told.site || 'your site'} at ${readable(submitted.at)}.`;
  const notes = [
    ...(test ? ['It was made with a test key.'] : []),
    ...(answers.some(({ cut }) => cut)
      ? ['Values that are too long for this letter end with “…”. The page shows them whole.']
      : []),
    ...(others === 0
      ? []
      : [`${others} more ${others === 1 ? 'value' : 'values'} arrived for which the form has no field.`]),
  ];
  return {
    subject: titled(test ? '[Test] New submission' : 'New submission', told),
    strangersSubject: test ? '[Test] A form was submitted' : 'A form was submitted',
    closedBy: closing(
      [intro, '', ...answers.map(asText), ...notes, `The submission: ${page}`, '', warning, ''],
      intro,
      html`<table>
          <tbody>
            ${answers.map(asRow)}
          </tbody>
        </table>
        ${notes.map((note) => html`<p>${note}</p>`)}
        <p><a href="${page}">The submission</a></p>
        <p><small>${warning}</small></p>`,
    ),
  };
}

/** How many submissions came that have no email of their own. */
export function summaryEmail(told: Told, count: number, from: Date, until: Date): Words {
  const span = `between ${readable(from.toISOString())} and ${readable(until.toISOString())}`;
  const intro = `${told.form.name} on ${told.site || 'your site'} was submitted ${count} more ${count === 1 ? 'time' : 'times'} ${span}.`;
  const why = 'There were too many to send a letter for each. None of them is lost.';
  return {
    subject: titled(`${count} more ${count === 1 ? 'submission' : 'submissions'}`, told),
    strangersSubject: 'A form was submitted more often',
    closedBy: closing(
      [intro, why, '', `All submissions: ${told.list}`, ''],
      intro,
      html`<p>${why}</p>
        <p><a href="${told.list}">All submissions</a></p>`,
    ),
  };
}

const titled = (what: string, { form, site }: Told): string =>
  oneLine(`${what}: ${[form.name, site].filter((name) => name !== '').join(' – ')}`, 200);

/** `2026-11-21 14:05 UTC` */
const readable = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** What follows the first line of a value is indented, so that it cannot pass for a label or for words of ours. */
const asText = ({ label, value }: Answer): string =>
  `${oneLine(label, 300)}:\n${value
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n`;

const asRow = ({ label, value }: Answer): Html =>
  html`<tr>
    <th scope="row" style="text-align:start;vertical-align:top;padding:4px 16px 4px 0">${oneLine(label, 300)}</th>
    <td dir="auto" style="white-space:pre-wrap;overflow-wrap:anywhere;padding:4px 0">${value}</td>
  </tr>`;

/** What is the same for all recipients is laid out once. */
function closing(text: readonly string[], intro: string, main: Html): Words['closedBy'] {
  const above = text.join('\n');
  return (below) => ({ text: `${above}\n${below.text}`, html: emailPage(intro, main, below.html) });
}

/** A whole page: no picture, no script, nothing from elsewhere. */
const emailPage = (intro: string, main: Html, below: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Submissions</title>
      </head>
      <body style="font-family:sans-serif;line-height:1.5">
        <p>${lines(intro, 1000)}</p>
        ${main} ${below}
      </body>
    </html>`.text;
