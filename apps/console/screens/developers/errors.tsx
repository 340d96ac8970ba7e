import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { agentOf, type AuditEvent } from '../../data/activity.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { AgentNamed } from '../../parts/agent-named.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Tool } from '../../parts/tool.tsx';
import { useWords } from '../../words/language.ts';
import { DevelopersTabs } from './tabs.tsx';

interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly status: string;
  readonly missingSecrets: readonly string[];
  readonly missingSettings: readonly string[];
  readonly lastReceivedAt: string | null;
  readonly lastRefusedAt: string | null;
  readonly lastRefusal: string | null;
  readonly waiting: number;
  readonly failed: number;
  readonly lastError: string | null;
}

interface Delivery {
  readonly id: string;
  readonly provider: string;
  readonly topic: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly receivedAt: string;
}

type Denied = AuditEvent & { readonly payload: { readonly tool?: string; readonly code?: string } };

/** What did not work: accounts at providers, what they sent, and calls that were refused. */
export default function Errors(): ReactNode {
  const { developers: words, shell } = useWords();
  return (
    <Page title={shell.developers} part={words.errors} lead={words.errorsLead} bar={<DevelopersTabs />}>
      <Refused />
      <Connections />
      <Dead />
    </Page>
  );
}

const Well = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <p>
    <Badge tone="held">{children}</Badge>
  </p>
);

function Refused(): ReactNode {
  const { developers: words } = useWords();
  const pages = usePages<Denied>('accounting', '/api/audit/events', { type: 'tools.call.denied', limit: 20 });
  return (
    <Section title={words.refusedCalls}>
      <CursorList pages={pages} empty={<Well>{words.noRefusedCalls}</Well>}>
        {(items) => (
          <Table
            label={words.refusedCalls}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, type }) => ({ title: type, id, place: 'accounting', path: `/api/audit/events/${id}` })}
            columns={[
              { head: words.tool, cell: ({ payload }) => <Tool name={payload.tool} /> },
              { head: words.code, cell: ({ payload }) => <code>{payload.code}</code> },
              {
                head: words.who,
                cell: (event) => {
                  const agent = agentOf(event);
                  return agent === undefined ? (
                    <Said>{event.principal_chain.at(0)?.principal_id}</Said>
                  ) : (
                    <AgentNamed {...agent} />
                  );
                },
              },
              { head: words.when, cell: ({ received_at }) => <Moment at={received_at} ago /> },
            ]}
          />
        )}
      </CursorList>
    </Section>
  );
}

function Connections(): ReactNode {
  const { developers: words } = useWords();
  const connections = useApi<Paged<Connection>>('portal', '/api/connections', { query: { limit: 100 } });
  return (
    <Section title={words.connections}>
      <Loaded query={connections}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{words.noConnections}</p>
          ) : (
            <Table
              label={words.connections}
              rows={items}
              rowKey={({ id }) => id}
              record={({ id, name }) => ({ title: name, id, place: 'portal', path: `/api/connections/${id}` })}
              columns={[
                { head: words.account, cell: ({ name }) => <Said>{name}</Said> },
                { head: words.provider, cell: ({ provider }) => provider },
                {
                  head: words.state,
                  cell: ({ missingSecrets, missingSettings, failed, status }) => (
                    <Badge tone={failed > 0 ? 'error' : status === 'active' ? 'held' : 'waits'}>
                      {failed > 0
                        ? words.failedCount(failed)
                        : missingSecrets.length + missingSettings.length > 0
                          ? words.secret_missing
                          : status}
                    </Badge>
                  ),
                },
                {
                  head: words.lastReceived,
                  cell: ({ lastReceivedAt }) =>
                    lastReceivedAt === null ? words.never : <Moment at={lastReceivedAt} ago />,
                },
                {
                  head: words.lastError,
                  cell: ({ lastError, lastRefusal, lastRefusedAt, lastReceivedAt }) => {
                    const said = (lastRefusedAt ?? '') > (lastReceivedAt ?? '') ? lastRefusal : lastError;
                    return said === null ? null : <Said>{said}</Said>;
                  },
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function Dead(): ReactNode {
  const { developers: words, parts } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin', 'developer');
  const pages = usePages<Delivery>('portal', '/api/callbacks', { status: 'dead' });
  const retry = useAct(async ({ id }: Delivery) =>
    api('portal', `/api/callbacks/${id}/retry`, { tenant, method: 'POST' }),
  );
  return (
    <Section title={words.deadDeliveries}>
      <Failure error={retry.error} />
      <CursorList pages={pages} empty={<Well>{words.noDeadDeliveries}</Well>}>
        {(items) => (
          <Table
            label={words.deadDeliveries}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, topic }) => ({ title: topic, id, place: 'portal', path: `/api/callbacks/${id}` })}
            columns={[
              { head: words.event, cell: ({ topic }) => <Said>{topic}</Said> },
              { head: words.provider, cell: ({ provider }) => provider },
              { head: words.lastError, cell: ({ lastError }) => <Said>{lastError}</Said> },
              { head: words.attempts, align: 'end', cell: ({ attempts }) => attempts },
              { head: words.when, cell: ({ receivedAt }) => <Moment at={receivedAt} ago /> },
              ...(may
                ? [
                    {
                      head: parts.actions,
                      align: 'end' as const,
                      cell: (one: Delivery) => (
                        <Button
                          busy={retry.isPending && retry.variables.id === one.id}
                          onClick={() => retry.mutate(one)}
                        >
                          {words.sendAgain}
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
    </Section>
  );
}
