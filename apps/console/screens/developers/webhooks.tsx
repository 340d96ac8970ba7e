import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { DevelopersTabs } from './tabs.tsx';
import { Known, WebhookState, type Webhook } from './webhook-state.tsx';

/** Where events are sent, and how that goes. */
export default function Webhooks(): ReactNode {
  const { developers: words, parts, shell } = useWords();
  const pages = usePages<Webhook>('portal', '/api/webhooks');
  const [adding, setAdding] = useState(false);
  const add = (
    <Button kind="first" onClick={() => setAdding(true)}>
      {words.addWebhook}
    </Button>
  );
  return (
    <Page
      title={shell.developers}
      part={words.webhooks}
      lead={words.webhooksLead}
      bar={<DevelopersTabs />}
      actions={add}
    >
      <CursorList
        pages={pages}
        empty={
          <Empty title={words.noWebhooks} prompt={words.noWebhooksPrompt}>
            {words.noWebhooksLead}
          </Empty>
        }
      >
        {(items) => (
          <Table
            label={words.webhooks}
            rows={items}
            rowKey={({ id }) => id}
            to={({ id }) => `/developers/webhooks/${id}`}
            record={({ id, url }) => ({ title: url, id, place: 'portal', path: `/api/webhooks/${id}` })}
            columns={[
              { head: words.url, cell: ({ url }) => <Said>{url}</Said> },
              {
                head: words.types,
                cell: ({ types }) => (types === null ? words.allTypes : words.typeCount(types.length)),
              },
              { head: words.state, cell: (webhook) => <WebhookState of={webhook} /> },
              { head: parts.madeBy, cell: (webhook) => <Known of={webhook} /> },
              { head: words.since, cell: ({ statusAt }) => <Moment at={statusAt} ago />, wide: true },
            ]}
          />
        )}
      </CursorList>
      {adding ? <Add onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

function Add({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { developers: words } = useWords();
  const tenant = useTenant();
  const go = useGo();
  const known = useApi<{ readonly types: readonly string[] }>('portal', '/api/webhooks/event-types');
  const create = useAct(
    async ({ url, types, description }: Readonly<Record<string, string>>) =>
      api<Webhook>('portal', '/api/webhooks', {
        tenant,
        body: {
          url: url ?? '',
          types: types === undefined ? null : types.split(/[\s,]+/).filter((one) => one !== ''),
          ...(description === undefined ? {} : { description }),
        },
      }),
    { onDone: ({ id }) => go(`/developers/webhooks/${id}`) },
  );
  return (
    <Dialog title={words.addWebhook} onClose={onClose}>
      <Form
        submit={words.addWebhook}
        error={create.error}
        busy={create.isPending}
        onSubmit={(values) => create.mutate(values)}
        onCancel={onClose}
      >
        <Field label={words.url} name="url" kind="url" hint={words.urlHint} />
        <Field label={words.types} name="types" kind="area" optional hint={words.typesHint} />
        <Field label={words.description} name="description" optional />
        <details>
          <summary>{words.knownTypes}</summary>
          <p>
            <code>{known.data?.types.join(', ')}</code>
          </p>
        </details>
      </Form>
    </Dialog>
  );
}
