import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
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
import { Funnel } from './funnel.tsx';
import type { FormSummary, FormWhole, Site } from './types.ts';

export const tones = { draft: 'waits', published: 'held', unpublished: 'plain', archived: 'plain' } as const;

export default function Forms(): ReactNode {
  const words = useWords().forms;
  const manages = useMay('owner', 'admin', 'developer', 'merchandiser');
  const [{ archived = '' }, setFilters] = useFilters();
  const [adding, setAdding] = useState(false);
  const pages = usePages<FormSummary>('studio', '/api/forms', { archived });
  const sites = useApi<Paged<Site>>('studio', '/api/sites', { query: { limit: 100 } });
  const siteNames = new Map(sites.data?.items.map(({ id, name }) => [id, name]));
  const add = manages ? (
    <Button kind="first" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  ) : null;
  return (
    <Page
      title={words.forms}
      lead={words.lead}
      actions={add}
      bar={
        <Choice
          label={words.show}
          value={archived === 'true' ? 'true' : ''}
          onChange={(next) => setFilters({ archived: next })}
          of={[
            ['', words.present],
            ['true', words.states.archived],
          ]}
        />
      }
    >
      {adding ? <Add sites={sites.data?.items ?? []} onClose={() => setAdding(false)} /> : null}
      <CursorList
        pages={pages}
        empty={
          archived === 'true' ? (
            <Empty title={words.noneArchived} />
          ) : (
            <Empty title={words.none} prompt={words.nonePrompt} {...(add === null ? {} : { action: add })}>
              {words.noneLead}
            </Empty>
          )
        }
      >
        {(items) => (
          <Table
            label={words.forms}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/forms/${id}`}
            record={({ id, name }) => ({ title: name, id, place: 'studio', path: `/api/forms/${id}` })}
            columns={[
              { head: words.name, cell: ({ name }) => <Said>{name}</Said> },
              {
                head: words.state,
                cell: ({ status, hasUnpublishedChanges }) => (
                  <>
                    <Badge tone={tones[status]}>{words.states[status]}</Badge>{' '}
                    {status === 'published' && hasUnpublishedChanges ? (
                      <Badge tone="waits">{words.unpublishedChanges}</Badge>
                    ) : null}
                  </>
                ),
              },
              { head: words.version, align: 'end', cell: ({ activeVersion }) => activeVersion ?? '–' },
              { head: words.site, wide: true, cell: ({ siteId }) => <Said>{siteNames.get(siteId) ?? ''}</Said> },
              { head: words.changed, wide: true, cell: ({ updatedAt }) => <Moment at={updatedAt} ago /> },
            ]}
          />
        )}
      </CursorList>
      {archived === 'true' ? null : <Funnel />}
    </Page>
  );
}

/** A form begins with what everybody asks; a site is made where there is none. */
function Add({ sites, onClose }: { readonly sites: readonly Site[]; readonly onClose: () => void }): ReactNode {
  const words = useWords().forms;
  const tenant = useTenant();
  const go = useGo();
  const act = useAct(
    async ({ name, site, origin }: { name: string; site: string | undefined; origin: string | undefined }) => {
      const siteId =
        site ??
        (
          await api<Site>('studio', '/api/sites', {
            tenant,
            body: { name, origins: origin === undefined ? [] : [origin] },
          })
        ).id;
      return api<FormWhole>('studio', '/api/forms', {
        tenant,
        body: {
          siteId,
          name,
          targetEntityType: 'crm_contact',
          fields: [
            { name: 'name', label: words.first.name, type: 'text', mapsTo: 'name' },
            { name: 'email', label: words.first.email, type: 'email', required: true, mapsTo: 'email' },
            { name: 'message', label: words.first.message, type: 'textarea' },
          ],
        },
      });
    },
    { onDone: ({ id }) => go(`/forms/${id}`) },
  );
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form
        submit={words.add}
        busy={act.isPending}
        error={act.error}
        onCancel={onClose}
        onSubmit={({ name = '', site, origin }) => act.mutate({ name, site, origin })}
      >
        <Field label={words.name} name="name" />
        {sites.length === 0 ? (
          <Field label={words.origin} name="origin" kind="url" pointer="/origins" hint={words.originHint} optional />
        ) : (
          <Field
            label={words.site}
            name="site"
            pointer="/siteId"
            options={sites.map(({ id, name }) => [id, name] as const)}
          />
        )}
      </Form>
    </Dialog>
  );
}
