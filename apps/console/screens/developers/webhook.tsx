import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { useFilters, useGo } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { DevelopersTabs } from './tabs.tsx';
import { Known, WebhookState, type Webhook } from './webhook-state.tsx';

type Whole = Webhook & {
  readonly health: {
    readonly waiting: number;
    readonly failures: number;
    readonly failingSince: string | null;
    readonly lastSuccessAt: string | null;
    readonly lastError: string | null;
  };
};

interface Delivery {
  readonly sequence: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly queuedAt: string;
}

const tones: Readonly<Record<Delivery['state'], Tone>> = { pending: 'waits', delivered: 'held', failed: 'error' };

type Removing = ReturnType<typeof useAct<unknown, unknown>>;

/** One webhook: how it does, and each delivery, which can be sent again. */
export default function OneWebhook(): ReactNode {
  const { developers: words } = useWords();
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const tenant = useTenant();
  const go = useGo();
  const remove = useAct(async () => api('portal', `/api/webhooks/${id}`, { tenant, method: 'DELETE' }), {
    onDone: () => go('/developers/webhooks', { replace: true }),
  });
  // Nothing more is asked of what is being deleted: it may be gone before this page is.
  const stays = !remove.isPending && !remove.isSuccess;
  const webhook = useApi<Whole>('portal', `/api/webhooks/${id}`, { enabled: stays });
  const url = webhook.data?.url;
  useRecord(url === undefined ? undefined : { title: url, id, place: 'portal', path: `/api/webhooks/${id}` });
  return (
    <Page
      title={words.webhook}
      part={url}
      lead={url === undefined ? undefined : <Said>{url}</Said>}
      bar={<DevelopersTabs />}
    >
      <Loaded query={webhook}>{(found) => <Shown webhook={found} remove={remove} />}</Loaded>
      {stays ? <Deliveries id={id} /> : null}
    </Page>
  );
}

interface Secret {
  readonly secret: string | null;
  readonly publicKey: string | null;
}

function Shown({ webhook, remove }: { readonly webhook: Whole; readonly remove: Removing }): ReactNode {
  const { developers: words, parts } = useWords();
  const tenant = useTenant();
  const { id, types, description, signing, status, reason, health } = webhook;
  const at = `/api/webhooks/${id}`;
  const [asking, setAsking] = useState<'delete'>();
  const [secret, setSecret] = useState<Secret>();
  const post = useAct(async (verb: 'pause' | 'resume' | 'test') =>
    api('portal', `${at}/${verb}`, { tenant, method: 'POST' }),
  );
  const renew = useAct(async () => api<Secret>('portal', `${at}/secret`, { tenant, body: {} }), { onDone: setSecret });
  return (
    <Section
      title={<WebhookState of={webhook} />}
      actions={
        <>
          {status === 'active' ? (
            <Button busy={post.isPending} onClick={() => post.mutate('test')}>
              {words.sendTest}
            </Button>
          ) : null}
          {status === 'active' ? (
            <Button busy={post.isPending} onClick={() => post.mutate('pause')}>
              {words.pause}
            </Button>
          ) : reason === 'secret_missing' ? null : (
            <Button busy={post.isPending} onClick={() => post.mutate('resume')}>
              {words.resume}
            </Button>
          )}
          <Button
            busy={renew.isPending}
            kind={reason === 'secret_missing' ? 'first' : 'quiet'}
            onClick={() => renew.mutate()}
          >
            {words.newSecret}
          </Button>
          <Button kind="danger" onClick={() => setAsking('delete')}>
            {words.delete}
          </Button>
        </>
      }
    >
      <Failure error={post.error ?? renew.error} />
      <Facts
        of={[
          [words.types, types === null ? words.allTypes : <Said key="types">{types.join(', ')}</Said>],
          [words.description, description === null ? null : <Said key="said">{description}</Said>],
          [words.signing, signing],
          [parts.madeBy, <Known key="by" of={webhook} />],
          [
            parts.madeThrough,
            webhook.createdThrough === null ? null : <Said key="through">{webhook.createdThrough}</Said>,
          ],
          [words.waiting, String(health.waiting)],
          [
            words.failingSince,
            health.failingSince === null ? null : <Moment key="failing" at={health.failingSince} ago />,
          ],
          [
            words.lastSuccess,
            health.lastSuccessAt === null ? words.never : <Moment key="success" at={health.lastSuccessAt} ago />,
          ],
          [words.lastError, health.lastError === null ? null : <Said key="error">{health.lastError}</Said>],
        ]}
      />
      {asking === undefined ? null : (
        <Confirm
          title={words.delete}
          act={remove}
          onConfirm={() => remove.mutate()}
          submit={words.delete}
          danger
          onClose={() => setAsking(undefined)}
        >
          {words.deleteHint}
        </Confirm>
      )}
      {secret === undefined ? null : (
        <Dialog title={words.newSecret} onClose={() => setSecret(undefined)}>
          <p>{secret.secret === null ? words.publicKeyHint : words.secretHint}</p>
          <Snippet text={secret.secret ?? secret.publicKey ?? ''} label={words.newSecret} />
        </Dialog>
      )}
    </Section>
  );
}

/** Not tried yet: soon it is settled, or waits until its next attempt. */
const isUnderWay = ({ state, attempts }: Delivery): boolean => state === 'pending' && attempts === 0;

const states = ['', 'pending', 'delivered', 'failed'] as const;

function Deliveries({ id }: { readonly id: string }): ReactNode {
  const { developers: words, parts } = useWords();
  const tenant = useTenant();
  const [filters, setFilters] = useFilters();
  const state = states.find((one) => one === filters['state']) ?? '';
  const pages = usePages<Delivery>('portal', `/api/webhooks/${id}/deliveries`, { state }, isUnderWay);
  const replay = useAct(async ({ sequence }: Delivery) =>
    api('portal', `/api/webhooks/${id}/replay`, { tenant, body: { sequence } }),
  );
  return (
    <Section
      title={words.deliveries}
      actions={
        <Choice
          label={words.state}
          of={states.map((one) => [one, one === '' ? words.all : words[one]] as const)}
          value={state}
          onChange={(next) => setFilters({ state: next })}
        />
      }
    >
      <Failure error={replay.error} />
      <CursorList pages={pages} empty={<Empty title={words.noDeliveries}>{words.noDeliveriesLead}</Empty>}>
        {(items) => (
          <Table
            label={words.deliveries}
            rows={items}
            rowKey={({ sequence }) => sequence}
            record={({ type, eventId, sequence }) => ({
              title: type,
              id: eventId,
              place: 'portal',
              path: `/api/webhooks/${id}/deliveries/${sequence}`,
            })}
            columns={[
              { head: words.event, cell: ({ type }) => <code>{type}</code> },
              { head: words.state, cell: (one) => <Badge tone={tones[one.state]}>{words[one.state]}</Badge> },
              { head: words.attempts, align: 'end', cell: ({ attempts }) => attempts },
              { head: words.answer, cell: ({ status, error }) => (error === null ? status : <Said>{error}</Said>) },
              { head: words.queued, cell: ({ queuedAt }) => <Moment at={queuedAt} ago /> },
              {
                head: parts.actions,
                align: 'end',
                cell: (one) =>
                  one.state === 'pending' ? null : (
                    <Button
                      busy={replay.isPending && replay.variables.sequence === one.sequence}
                      onClick={() => replay.mutate(one)}
                    >
                      {words.sendAgain}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </CursorList>
    </Section>
  );
}
