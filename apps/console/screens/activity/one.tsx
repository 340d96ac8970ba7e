import { wordsOf } from '@steward/approvals/reading';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useApi, type Paged } from '../../data/queries.ts';
import { Copy } from '../../parts/copy.tsx';
import { Happened, useHappened } from '../../parts/happened.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Named } from '../../parts/named.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { Go } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { Json } from './json.tsx';
import { isSealed, type Head, type LogEvent, type Principal } from './event.ts';
import { Sealed, Who } from './row.tsx';
import { VerifyEvent } from './verifying.tsx';

/** One event: who, why, what else about the same thing, and whether it is what was signed. */
export default function ActivityOne(): ReactNode {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const words = useWords().activity;
  const said = useHappened();
  const query = useApi<LogEvent>('accounting', `/api/audit/events/${encodeURIComponent(id)}`);
  const shown = query.data?.id === id ? query.data : undefined;
  return (
    <Page
      title={shown === undefined ? words.event : said(shown)}
      lead={shown === undefined ? undefined : <Who of={shown} />}
      actions={<Go to="/activity">{words.back}</Go>}
    >
      <Loaded query={query}>{(event) => (event.id === id ? <Shown key={id} event={event} /> : null)}</Loaded>
    </Page>
  );
}

function Shown({ event }: { readonly event: LogEvent }): ReactNode {
  const words = useWords().activity;
  const chain = useApi<Head>('accounting', '/api/audit/chain');
  const said = useHappened();
  useRecord({ title: said(event), id: event.id, place: 'accounting', path: `/api/audit/events/${event.id}` });
  const json = JSON.stringify(event, null, 2);
  return (
    <>
      <Section title={words.what}>
        <Facts
          of={[
            [words.type, <code key="t">{event.type}</code>],
            [words.number, event.sequence],
            [words.received, <Moment key="r" at={event.received_at} />],
            [words.occurred, <Moment key="o" at={event.occurred_at} />],
            [words.who, <People key="w" event={event} />],
            [words.ingestedBy, <Principal key="i" of={event.ingested_by} names={event.display_names} />],
            [words.source, <Said key="s">{event.source}</Said>],
            [
              words.day,
              chain.data === undefined ? undefined : <Sealed key="d" is={isSealed(event, chain.data.sealed_through)} />,
            ],
            ...Object.entries(event.payload)
              .filter(([, value]) => typeof value !== 'object' || value === null)
              .map(
                ([name, value]) =>
                  [
                    wordsOf(name),
                    name === 'rule_id' ? (
                      <Go key={name} to={`/settings/policy?rule=${String(value)}`}>
                        {String(value)}
                      </Go>
                    ) : (
                      <Said key={name}>{value === null ? null : String(value)}</Said>
                    ),
                  ] as const,
              ),
          ]}
        />
      </Section>
      {event.correlation_id === undefined ? null : <Causes event={event} correlation={event.correlation_id} />}
      <Same event={event} />
      <VerifyEvent id={event.id} sealed={chain.data !== undefined && isSealed(event, chain.data.sealed_through)} />
      <Section title="JSON" actions={<Copy text={json} />}>
        <Json text={json} />
      </Section>
    </>
  );
}

const named = ({ principal_type: type, principal_id: id }: Principal): string => `${type}:${id}`;

function Principal({ of, names }: { readonly of: Principal; readonly names: LogEvent['display_names'] }): ReactNode {
  return (
    <Go to={`/activity?${new URLSearchParams({ principal: named(of) }).toString()}`}>
      <Named of={of} names={names} />
    </Go>
  );
}

const People = ({ event }: { readonly event: LogEvent }): ReactNode =>
  event.principal_chain.map((of, at) => (
    <span key={named(of)}>
      {at === 0 ? null : ' → '}
      <Principal of={of} names={event.display_names} />
    </span>
  ));

interface Branch extends Pick<
  LogEvent,
  'id' | 'type' | 'sequence' | 'principal_chain' | 'display_names' | 'received_at'
> {
  readonly parent_id?: string;
  readonly depth: number;
}

const mostBranches = 200;
/** Steps that are indented, on a phone too. */
const deepestShown = 8;

/** What caused it, and what it caused. */
function Causes({ event, correlation }: { readonly event: LogEvent; readonly correlation: string }): ReactNode {
  const words = useWords().activity;
  const query = useApi<{ readonly items: readonly Branch[]; readonly truncated: boolean }>(
    'accounting',
    '/api/audit/causality',
    { query: { correlation_id: correlation } },
  );
  return (
    <Section
      title={words.causes}
      actions={<Go to={`/activity?correlation_id=${encodeURIComponent(correlation)}`}>{words.asList}</Go>}
    >
      <Loaded query={query}>
        {({ items, truncated }) => (
          <>
            <ol className={styles['tree']}>
              {items.slice(0, mostBranches).map((branch) => (
                <li
                  key={branch.id}
                  data-this={branch.id === event.id}
                  aria-current={branch.id === event.id || undefined}
                  style={{ marginInlineStart: Math.min(branch.depth, deepestShown) * 16 }}
                >
                  <Go to={`/activity/${branch.id}`}>
                    <Happened of={branch} />
                  </Go>
                  <span className={styles['quiet']}>
                    <Who of={branch} />
                  </span>
                  <span className={styles['quiet']}>
                    <Moment at={branch.received_at} />
                  </span>
                </li>
              ))}
            </ol>
            {truncated || items.length > mostBranches ? <p className={styles['quiet']}>{words.notAll}</p> : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Other events that name the same thing. */
function Same({ event }: { readonly event: LogEvent }): ReactNode {
  const words = useWords().activity;
  const things = Object.entries(event.payload).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && uuid.test(entry[1]),
  );
  const [chosen, setChosen] = useState(things[0]?.[0]);
  const resource = things.find(([name]) => name === chosen)?.[1];
  const query = useApi<Paged<LogEvent>>('accounting', '/api/audit/events', {
    query: { resource, limit: 20 },
    enabled: resource !== undefined,
  });
  if (resource === undefined) return null;
  return (
    <Section title={words.same} actions={<Go to={`/activity?resource=${resource}`}>{words.asList}</Go>}>
      {things.length < 2 ? null : (
        <Choice
          label={words.same}
          of={things.map(([name]) => [name, name])}
          names
          value={chosen ?? ''}
          onChange={setChosen}
        />
      )}
      <Loaded query={query}>
        {({ items }) => (
          <ol className={styles['tree']}>
            {items.map((one) => (
              <li key={one.id} data-this={one.id === event.id}>
                <Go to={`/activity/${one.id}`}>
                  <Happened of={one} />
                </Go>
                <span className={styles['quiet']}>
                  <Who of={one} />
                </span>
                <span className={styles['quiet']}>
                  <Moment at={one.received_at} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}
