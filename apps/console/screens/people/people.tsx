import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { useFilters, useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { Search } from '../commerce/search.tsx';
import styles from './people.module.css';
import type { Contact } from './types.ts';

export default function People(): ReactNode {
  const words = useWords().people;
  const writes = useMay('owner', 'admin', 'merchandiser', 'developer');
  const [{ q = '', show = '' }, setFilters] = useFilters();
  const [adding, setAdding] = useState(false);
  const pages = usePages<Contact>('commerce', '/api/contacts', {
    query: q,
    archived: show === 'archived' ? true : undefined,
    test: show === 'test' ? true : undefined,
  });
  const add = writes ? (
    <Button kind="first" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  ) : null;
  return (
    <Page
      title={words.people}
      lead={words.lead}
      actions={add}
      bar={
        <div className={styles['row']}>
          <Search value={q} label={words.find} onSearch={(text) => setFilters({ q: text })} />
          <Choice
            label={words.show}
            value={show}
            onChange={(next) => setFilters({ show: next })}
            of={[
              ['', words.present],
              ['archived', words.archived],
              ['test', words.test],
            ]}
          />
        </div>
      }
    >
      {adding ? <Add onClose={() => setAdding(false)} /> : null}
      <CursorList
        pages={pages}
        empty={
          q === '' && show === '' ? (
            <Empty title={words.none} prompt={words.nonePrompt} {...(add === null ? {} : { action: add })}>
              {words.noneLead}
            </Empty>
          ) : (
            <Empty title={words.noneFound} />
          )
        }
      >
        {(items) => (
          <Table
            label={words.people}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/people/${id}`}
            record={({ id, name, email }) => ({
              title: name ?? email ?? words.person,
              id,
              place: 'commerce',
              path: `/api/contacts/${id}`,
            })}
            columns={[
              {
                head: words.name,
                cell: ({ name, email, phone }) => <Said>{name ?? email ?? phone}</Said>,
              },
              { head: words.email, cell: ({ email }) => <Said>{email}</Said> },
              { head: words.phone, wide: true, cell: ({ phone }) => <Said>{phone}</Said> },
              {
                head: words.state,
                cell: ({ archived, test }) =>
                  !archived && !test ? null : (
                    <>
                      {archived ? <Badge>{words.archived}</Badge> : null}{' '}
                      {test ? <Badge tone="accent">{words.test}</Badge> : null}
                    </>
                  ),
              },
              { head: words.since, wide: true, cell: ({ createdAt }) => <Moment at={createdAt} ago /> },
            ]}
          />
        )}
      </CursorList>
    </Page>
  );
}

function Add({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().people;
  const tenant = useTenant();
  const go = useGo();
  const [draft, setDraft, forget] = useDraft<Readonly<Record<string, string>>>('contact', {});
  const act = useAct(async (body: object) => api<{ contact: Contact }>('commerce', '/api/contacts', { tenant, body }), {
    onDone: ({ contact }) => {
      forget();
      go(`/people/${contact.id}`);
    },
  });
  const bind = (name: string) => ({
    name,
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form
        submit={words.add}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={(values) => act.mutate(values)}
      >
        <Field label={words.name} {...bind('name')} />
        <Field label={words.email} kind="email" {...bind('email')} />
        <Field label={words.phone} kind="tel" {...bind('phone')} hint={words.phoneHint} />
      </Form>
    </Dialog>
  );
}
