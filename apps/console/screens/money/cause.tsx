import { useQuery } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Happened } from '../../parts/happened.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Named } from '../../parts/named.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Tool } from '../../parts/tool.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './cause.module.css';

interface Principal {
  readonly principal_type: string;
  readonly principal_id: string;
}

interface Happened {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly occurred_at: string;
  readonly principal_chain: readonly Principal[];
  readonly display_names?: Readonly<Record<string, string>>;
  readonly correlation_id?: string | null;
}

interface Caused extends Happened {
  readonly depth: number;
  readonly parent_id?: string | null;
}

interface Whole extends Happened {
  readonly payload: Readonly<Record<string, unknown>>;
}

/** So many are shown at first: a correlation may have hundreds. */
const few = 12;

/** So many calls are shown with all that each caused; of further ones, what they did to the record. */
const whole = 6;

/** What led to a record: the events of each call that touched it, each before its effects, and who acted for whom. */
export function Cause({ resource }: { readonly resource: string }): ReactNode {
  const words = useWords().money;
  const events = useApi<{ readonly items: readonly Happened[] }>('accounting', '/api/audit/events', {
    query: { resource, limit: 50 },
  });
  return (
    <Section title={words.cause}>
      <Loaded query={events} lines={3}>
        {({ items }) => {
          if (items.length === 0) return <p>{words.causeNone}</p>;
          const own = new Set(items.map(({ id }) => id));
          // A bill is drafted by one call, issued by another, and paid by a third.
          const calls = [...Map.groupBy(items.toReversed(), (one) => one.correlation_id ?? one.id)];
          return calls.map(([key, ofCall], at) =>
            at < whole && ofCall.some((one) => typeof one.correlation_id === 'string') ? (
              <Correlated key={key} id={key} own={own} />
            ) : (
              <Chain key={key} events={ofCall.map((one) => ({ ...one, depth: 0 }))} own={own} />
            ),
          );
        }}
      </Loaded>
    </Section>
  );
}

function Correlated({ id, own }: { readonly id: string; readonly own: ReadonlySet<string> }): ReactNode {
  const query = useApi<{ readonly items: readonly Caused[] }>('accounting', '/api/audit/causality', {
    query: { correlation_id: id },
  });
  return <Loaded query={query}>{({ items }) => <Chain events={items} own={own} />}</Loaded>;
}

function Chain({ events, own }: { readonly events: readonly Caused[]; readonly own: ReadonlySet<string> }): ReactNode {
  const words = useWords().money;
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<string>();
  const shown = all ? events : events.filter((one, at) => at < few || own.has(one.id));
  return (
    <>
      <ol className={styles['chain']}>
        {shown.map((event) => (
          <li key={event.id} className={styles['event']} data-depth={Math.min(event.depth, 6)}>
            <button
              type="button"
              className={styles['head']}
              aria-expanded={open === event.id}
              onClick={() => setOpen(open === event.id ? undefined : event.id)}
            >
              <span className={styles['type']}>
                <Happened of={event} />
              </span>
              {own.has(event.id) ? <Badge tone="accent">{words.this}</Badge> : null}
              <span className={styles['who']}>
                <Who event={event} />
              </span>
              <Moment at={event.occurred_at} />
            </button>
            {open === event.id ? <Event id={event.id} /> : null}
          </li>
        ))}
      </ol>
      {shown.length < events.length ? (
        <div>
          <Button onClick={() => setAll(true)}>{words.allEvents(events.length)}</Button>
        </div>
      ) : null}
    </>
  );
}

function Who({ event }: { readonly event: Happened }): ReactNode {
  return event.principal_chain.map((one, at) => (
    <Fragment key={`${one.principal_type}:${one.principal_id}`}>
      {at === 0 ? null : ' → '}
      <Named of={one} names={event.display_names} />
    </Fragment>
  ));
}

/** The call itself: what was asked by which tool, and what was decided. */
function Event({ id }: { readonly id: string }): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const query = useQuery({
    queryKey: [tenant, 'accounting', `/api/audit/events/${id}`],
    queryFn: async ({ signal }) => api<Whole>('accounting', `/api/audit/events/${id}`, { tenant, signal }),
  });
  return (
    <div className={styles['whole']}>
      <Loaded query={query}>
        {(event) => {
          const tool = event.payload['tool'] ?? event.payload['tool_name'];
          const action = event.payload['action_id'] ?? event.payload['pending_action_id'];
          return (
            <>
              <Facts
                of={[
                  [words.tool, typeof tool === 'string' ? <Tool key="tool" name={tool} /> : undefined],
                  [
                    words.approval,
                    typeof action === 'string' ? (
                      <Go key="action" to={`/approvals/${action}`}>
                        {words.openApproval}
                      </Go>
                    ) : undefined,
                  ],
                  [words.eventType, <code key="type">{event.type}</code>],
                  [
                    words.sequence,
                    <Go key="sequence" to={`/activity/${event.id}`}>
                      {event.sequence}
                    </Go>,
                  ],
                ]}
              />
              <pre className={styles['payload']} tabIndex={0} role="group" aria-label={words.payload}>
                <Said>{JSON.stringify(event.payload, undefined, 2)}</Said>
              </pre>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
