import { whoeverHas } from './organization.js';
import { alert, link, put, submissions } from './screen.js';
import { session, trouble } from './session.js';
import { el, pairs, text, time, value } from './show.js';

/** What a letter about a form leads to. @param rest an id, or `forms/` and a form's */
export async function reading(rest) {
  const [kind, form] = rest.split('/');
  await (kind === 'forms' ? list(form) : submission(rest));
}

async function submission(id) {
  const found = await whoeverHas(`/submissions/${id}`, 'submission');
  if (found === undefined) return;
  const { organization, answer } = found;
  const { form, mode, createdAt, erasedAt, possibleDuplicateOf, answers, contact } = answer;
  const fields = answers.filter(({ label }) => label !== null);
  const others = answers.filter(({ label }) => label === null);
  put(
    form.name,
    mode === 'test' ? el('p', {}, el('span', { class: 'state' }, 'Made with a test key')) : undefined,
    erasedAt === null
      ? alert('A visitor typed what stands here. Nobody has checked it: be careful with addresses and links in it.')
      : alert('What was submitted was erased ', time(erasedAt), '.'),
    possibleDuplicateOf === null
      ? undefined
      : el('p', {}, link(`${submissions}/${possibleDuplicateOf}`, 'The same was sent minutes before')),
    pairs([
      ['Organization', text(organization.name)],
      ['Submitted', time(createdAt)],
      ['Contact', contact === null ? undefined : person(contact)],
    ]),
    erasedAt !== null ? undefined : [el('h2', {}, 'What was submitted'), pairs(fields.map(answerOf))],
    erasedAt !== null || others.length === 0
      ? undefined
      : [el('h2', {}, 'What the form has no field for'), pairs(others.map(answerOf))],
    el('p', {}, link(`${submissions}/forms/${form.id}`, 'All submissions to this form')),
    el(
      'details',
      {},
      el('summary', {}, 'For the record'),
      pairs([
        ['Submission', text(id)],
        ['Version of the form', String(form.version)],
        ['Contact', contact === null ? undefined : text(contact.id)],
      ]),
    ),
  );
}

const answerOf = ({ name, label, value: given }) => [text(label ?? name), value(given)];

const person = ({ name, email, phone, id }) => {
  const said = [name, email, phone].filter((one) => one !== null);
  return el(
    'span',
    {},
    (said.length === 0 ? [id] : said).flatMap((one, at) => [at === 0 ? '' : ' · ', text(one)]),
  );
};

async function list(id) {
  const path = `/forms/${id}/submissions?limit=50`;
  const found = await whoeverHas(path, 'form');
  if (found === undefined) return;
  const { organization, answer } = found;
  const items = el('ul', { class: 'actions' });
  const more = el('button', { type: 'button' }, 'Show more');
  let cursor;
  const add = (page) => {
    items.append(...page.items.map(entry));
    cursor = page.nextCursor ?? undefined;
    more.hidden = cursor === undefined;
  };
  more.addEventListener('click', () =>
    session.ask('GET', `${path}&cursor=${cursor}`, { tenant: organization.id }).then(add, trouble),
  );
  add(answer);
  put(
    `Submissions: ${answer.form.name}`,
    el('p', {}, text(organization.name)),
    items.childElementCount === 0 ? el('p', {}, 'Nothing was submitted yet.') : undefined,
    items,
    more,
  );
}

const entry = ({ submissionId, createdAt, mode, erasedAt }) =>
  el(
    'li',
    {},
    link(`${submissions}/${submissionId}`, time(createdAt)),
    mode === 'test' ? ' · test key' : undefined,
    erasedAt === null ? undefined : ' · erased',
  );
