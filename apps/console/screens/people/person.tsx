import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Check, Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { Merge } from './merge.tsx';
import styles from './people.module.css';
import { valueText, type ContactSchema, type ContactWhole, type CustomField, type Entry } from './types.ts';

export default function Person(): ReactNode {
  const { person: id = '' } = useParams({ strict: false }) as { person?: string };
  const words = useWords().people;
  const contact = useApi<ContactWhole>('commerce', `/api/contacts/${id}`);
  const title = contact.data?.name ?? contact.data?.email ?? words.person;
  useRecord({ title, id, place: 'commerce', path: `/api/contacts/${id}` });
  if (contact.data === undefined)
    return (
      <Page title={words.person}>
        <Loaded query={contact} lines={10}>
          {() => null}
        </Loaded>
      </Page>
    );
  return <Whole key={id} of={contact.data} title={title} />;
}

type Opened = 'change' | 'merge' | 'erase';

function Whole({ of, title }: { readonly of: ContactWhole; readonly title: string }): ReactNode {
  const words = useWords().people;
  const tenant = useTenant();
  const writes = useMay('owner', 'admin', 'merchandiser', 'developer');
  const merges = useMay('owner', 'admin', 'merchandiser');
  const erases = useMay('owner', 'admin');
  const [open, setOpen] = useState<Opened>();
  const schema = useApi<ContactSchema>('commerce', '/api/contact-schema');
  const fields = schema.data?.fields ?? [];
  const archive = useAct(async (archived: boolean) =>
    api('commerce', `/api/contacts/${of.id}`, {
      tenant,
      method: 'PATCH',
      body: { archived, expectedVersion: of.version },
    }),
  );
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={title.length > 120 ? `${title.slice(0, 120)}…` : title}
      lead={
        <>
          {of.archived ? <Badge>{words.archived}</Badge> : null}{' '}
          {of.test ? <Badge tone="accent">{words.test}</Badge> : null} {words.since} <Moment at={of.createdAt} />
        </>
      }
      actions={
        <>
          {writes ? <Button onClick={() => setOpen('change')}>{words.change}</Button> : null}
          {merges ? <Button onClick={() => setOpen('merge')}>{words.merge}</Button> : null}
          {writes ? (
            <Button busy={archive.isPending} onClick={() => archive.mutate(!of.archived)}>
              {of.archived ? words.restore : words.archive}
            </Button>
          ) : null}
          {erases ? (
            <Button kind="danger" onClick={() => setOpen('erase')}>
              {words.erase}
            </Button>
          ) : null}
        </>
      }
    >
      <Failure error={archive.error} />
      {open === 'change' ? <Change of={of} fields={fields} onClose={close} /> : null}
      {open === 'merge' ? <Merge of={of} fields={fields} onClose={close} /> : null}
      {open === 'erase' ? <Erase of={of} onClose={close} /> : null}
      <div className={styles['columns']}>
        <Section title={words.timeline}>
          <Timeline of={of} />
        </Section>
        <div className={styles['stack']}>
          <Section title={words.facts}>
            <Facts
              of={[
                [words.name, <Said key="name">{of.name}</Said>],
                [words.email, <Said key="email">{of.email}</Said>],
                [words.phone, <Said key="phone">{of.phone}</Said>],
                [
                  words.others,
                  of.otherEmails.length + of.otherPhones.length === 0 ? undefined : (
                    <Said key="others">{[...of.otherEmails, ...of.otherPhones].join(', ')}</Said>
                  ),
                ],
                [
                  words.news,
                  of.marketingConsent === null ? words.newsUnsaid : <Consent key="news" of={of.marketingConsent} />,
                ],
                ...fields
                  .filter(({ key, retired }) => !retired || of.custom[key] !== undefined)
                  .map(({ key, label }) => [label, <Said key={key}>{valueText(of.custom[key])}</Said>] as const),
              ]}
            />
          </Section>
          {of.parties.length + of.suggestedParties.length === 0 ? null : (
            <Section title={words.inBooks}>
              <ul className={styles['timeline']}>
                {of.parties.map((party) => (
                  <li key={party.id}>
                    <InBooks of={party} />
                  </li>
                ))}
                {of.suggestedParties.map((party) => (
                  <li key={party.id}>
                    <InBooks of={party} /> <Badge>{words.perhaps}</Badge>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}

/** A party of the books, and the way to its documents. */
const InBooks = ({ of: { id, name } }: { readonly of: ContactWhole['parties'][number] }): ReactNode => (
  <Go to={`/money/documents?party=${id}`}>
    <Said>{name}</Said>
  </Go>
);

/** What was said of it, when, and by what: an order, or a change of the contact. */
function Consent({ of }: { readonly of: NonNullable<ContactWhole['marketingConsent']> }): ReactNode {
  const words = useWords().people;
  const to = leadOf({ refs: of.source });
  const from = words.newsFrom[of.source['kind'] ?? ''] ?? of.source['kind'] ?? '';
  return (
    <>
      {of.given ? words.newsAgreed : words.newsDeclined}, <Moment at={of.at} />,{' '}
      {to === undefined ? <Said>{from}</Said> : <Go to={to}>{from}</Go>}
    </>
  );
}

const idOf = (refs: Entry['refs'], ...names: readonly string[]): string | undefined =>
  names.map((name) => refs[name]).find((value): value is string => typeof value === 'string');

const orderOf = (refs: Entry['refs']): string | undefined => idOf(refs, 'orderId', 'order_id');

/** Where an entry leads, by what it names. */
function leadOf({ refs }: Pick<Entry, 'refs'>): `/${string}` | undefined {
  const order = orderOf(refs);
  if (order !== undefined) return `/commerce/orders/${order}`;
  const form = idOf(refs, 'formId', 'form_id');
  return form === undefined ? undefined : `/forms/${form}/submissions`;
}

function Timeline({ of: { id, test } }: { readonly of: ContactWhole }): ReactNode {
  const words = useWords().people;
  const pages = usePages<Entry>('commerce', `/api/contacts/${id}/timeline`);
  const orders = useApi<Paged<{ readonly id: string; readonly number: string }>>('commerce', '/api/orders', {
    query: { contactId: id, mode: test ? 'test' : 'live', limit: 100 },
  });
  const numbers = new Map(orders.data?.items.map((order) => [order.id, order.number]));
  return (
    <CursorList pages={pages} empty={<p className={styles['soft']}>{words.nothing}</p>}>
      {(items) => (
        <ol className={styles['timeline']}>
          {items.map((entry) => {
            const to = leadOf(entry);
            const kind = words.entryKinds[entry.kind] ?? entry.kind.replaceAll(/[._]/g, ' ');
            const number = numbers.get(orderOf(entry.refs) ?? '');
            const said = number === undefined ? kind : `${kind}: ${number}`;
            return (
              <li key={entry.id} className={styles['entry']}>
                <span>{to === undefined ? said : <Go to={to}>{said}</Go>}</span>
                <span className={styles['soft']}>
                  <Moment at={entry.occurredAt} />
                </span>
                {entry.discarded === undefined ? null : (
                  <span className={styles['soft']}>
                    {words.discarded}: <Said>{valueText(entry.discarded)}</Said>
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </CursorList>
  );
}

interface Closing {
  readonly of: ContactWhole;
  readonly onClose: () => void;
}

function Change({ of, fields, onClose }: Closing & { readonly fields: readonly CustomField[] }): ReactNode {
  const words = useWords().people;
  const tenant = useTenant();
  const present = fields.filter(({ retired }) => !retired);
  const said = of.marketingConsent === null ? '' : String(of.marketingConsent.given);
  const [draft, setDraft, forget] = useDraft<Readonly<Record<string, string>>>(`contact ${of.id} ${of.version}`, {
    name: of.name ?? '',
    email: of.email ?? '',
    phone: of.phone ?? '',
    news: said,
    ...Object.fromEntries(present.map(({ key }) => [`custom ${key}`, valueText(of.custom[key])])),
  });
  const act = useAct(
    async (body: object) =>
      api('commerce', `/api/contacts/${of.id}`, {
        tenant,
        method: 'PATCH',
        body: { ...body, expectedVersion: of.version },
      }),
    {
      onDone: () => {
        forget();
        onClose();
      },
    },
  );
  const bind = (name: string) => ({
    name,
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  // A yes holds for the address that it was given with.
  const endsYes = said === 'true' && draft['news'] === said && !isSame(draft['email'], of.email);
  const send = (): void => {
    const custom = Object.fromEntries(
      present.flatMap((field) => {
        const text = draft[`custom ${field.key}`] ?? '';
        return text === valueText(of.custom[field.key]) ? [] : [[field.key, valueOf(field, text)] as const];
      }),
    );
    const basic = Object.fromEntries(
      (['name', 'email', 'phone'] as const).flatMap((name) =>
        draft[name] === (of[name] ?? '') ? [] : [[name, draft[name] === '' ? null : draft[name]] as const],
      ),
    );
    const consent = draft['news'] === said ? {} : { marketingConsent: draft['news'] === 'true' };
    act.mutate({ ...basic, ...consent, ...(Object.keys(custom).length === 0 ? {} : { custom }) });
  };
  return (
    <Dialog title={words.changeContact} onClose={onClose} wide>
      <Form
        submit={words.save}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={send}
      >
        <Field label={words.name} {...bind('name')} />
        <Field
          label={words.email}
          kind="email"
          {...bind('email')}
          {...(endsYes ? { hint: <span role="status">{words.newsEnds}</span> } : {})}
        />
        <Field label={words.phone} kind="tel" {...bind('phone')} />
        <Field
          label={words.news}
          pointer="/marketingConsent"
          {...bind('news')}
          options={[
            // Whoever has said something cannot unsay it.
            ...(said === '' ? ([['', words.newsUnsaid]] as const) : []),
            ['true', words.newsAgreed],
            ['false', words.newsDeclined],
          ]}
        />
        {present.map((field) => {
          const { key, label, type, options } = field;
          const pointer = `/custom/${key}`;
          const own = bind(`custom ${key}`);
          if (type === 'boolean')
            return (
              <Check
                key={key}
                label={label}
                name={key}
                value={own.value === 'true'}
                onChange={(value) => own.onChange(String(value))}
              />
            );
          if (type === 'select')
            return (
              <Field
                key={key}
                label={label}
                pointer={pointer}
                optional
                {...own}
                options={[
                  ['', '–'],
                  ...options.filter(({ retired }) => !retired).map((one) => [one.value, one.label] as const),
                ]}
              />
            );
          return (
            <Field
              key={key}
              label={label}
              pointer={pointer}
              optional
              {...own}
              kind={type === 'date' ? 'date' : type === 'long_text' ? 'area' : type === 'number' ? 'amount' : 'text'}
              {...(type === 'multiselect'
                ? { hint: options.map(({ value }) => value).join(', ') }
                : type === 'datetime'
                  ? { hint: '2026-12-31T12:00:00Z' }
                  : {})}
            />
          );
        })}
      </Form>
    </Dialog>
  );
}

const isSame = (one: string | null = '', other: string | null = ''): boolean =>
  (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();

function valueOf({ type }: CustomField, text: string): unknown {
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'number') return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'multiselect') return text.split(',').map((one) => one.trim());
  return text;
}

const erasureReasons = [
  'requested',
  'consent_withdrawn',
  'objection',
  'no_longer_needed',
  'unlawful',
  'legal_obligation',
] as const;

interface Erased {
  readonly submissions: number;
  readonly orders: number;
  readonly parties: readonly { readonly nameKept: boolean }[];
}

/** What cannot be undone is asked for by typing. */
function Erase({ of, onClose }: Closing): ReactNode {
  const words = useWords().people;
  const tenant = useTenant();
  const [draft, setDraft, forget] = useDraft<{ readonly reason: string; readonly typed: string }>(`erase ${of.id}`, {
    reason: 'requested',
    typed: '',
  });
  const act = useAct(
    async (reason: string) => api<Erased>('commerce', `/api/contacts/${of.id}/erasure`, { tenant, body: { reason } }),
    { onDone: forget },
  );
  if (act.data !== undefined)
    return (
      <Dialog title={words.erased} onClose={onClose}>
        <Facts
          of={[
            [words.submissions, act.data.submissions],
            [words.orders, act.data.orders],
          ]}
        />
        {act.data.parties.some(({ nameKept }) => nameKept) ? <p>{words.nameKept}</p> : null}
      </Dialog>
    );
  return (
    <Dialog title={words.erase} onClose={onClose}>
      <p>{words.eraseLead}</p>
      <Form
        submit={words.eraseNow}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={() => {
          if (draft.typed.trim().toLowerCase() === words.eraseWord.toLowerCase()) act.mutate(draft.reason);
        }}
      >
        <Field
          label={words.reason}
          name="reason"
          value={draft.reason}
          onChange={(reason) => setDraft({ ...draft, reason })}
          options={erasureReasons.map((one) => [one, words.erasureReasons[one]] as const)}
        />
        <Field
          label={words.typeToErase(words.eraseWord)}
          name="typed"
          value={draft.typed}
          onChange={(typed) => setDraft({ ...draft, typed })}
        />
      </Form>
    </Dialog>
  );
}
