import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, addressOf } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Happened } from '../../parts/happened.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { Chain } from './chain.tsx';
import {
  fieldOf,
  isSealed,
  qualifiedOf,
  qualifiers,
  readField,
  type Head,
  type LogEvent,
  type Qualified,
} from './event.ts';
import { Sealed, Who } from './row.tsx';

/** Everything that happened: the whole log under one scrollbar, or what qualifiers find of it. */
export default function Activity(): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const [filters, setFilters] = useFilters();
  const qualified = qualifiedOf(filters);
  const filtered = Object.keys(qualified).length > 0;
  // As it was when the reader came: new events do not push away what is being read.
  const opened = useQuery({
    queryKey: [tenant, 'chain as opened'],
    queryFn: async ({ signal }) => api<Head>('accounting', '/api/audit/chain', { tenant, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const live = useApi<Head>('accounting', '/api/audit/chain');
  const more = (live.data?.head?.sequence ?? 0) - (opened.data?.head?.sequence ?? 0);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <Go to="/activity/verify">{words.verifyTitle}</Go>
          <a
            href={addressOf('accounting', '/api/audit/export', { tenant, query: { format: 'jsonl', ...qualified } })}
            download
          >
            {words.export}
          </a>
        </>
      }
      bar={
        <Qualifiers
          key={fieldOf(qualified)}
          qualified={qualified}
          onChange={(next) => setFilters(Object.fromEntries(qualifiers.map((name) => [name, next[name]])))}
        />
      }
    >
      <Loaded query={opened} lines={10}>
        {({ head, sealed_through: through }) =>
          filtered ? (
            <Found qualified={qualified} through={through} />
          ) : head === null ? (
            <Empty title={words.none} prompt={words.prompt} />
          ) : (
            <>
              {more > 0 ? (
                <div role="status">
                  <Button onClick={() => void opened.refetch().then(() => window.scrollTo({ top: 0 }))}>
                    {words.newer(more)}
                  </Button>
                </div>
              ) : null}
              <Chain key={head.sequence} last={head.sequence} through={through} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Qualifiers({
  qualified,
  onChange,
}: {
  readonly qualified: Qualified;
  readonly onChange: (next: Qualified) => void;
}): ReactNode {
  const words = useWords().activity;
  const [text, setText] = useState(fieldOf(qualified));
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(readField(text));
      }}
    >
      <input
        type="search"
        className={styles['field']}
        value={text}
        aria-label={words.find}
        placeholder={words.findHint}
        autoComplete="off"
        spellCheck={false}
        list="qualifiers"
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id="qualifiers">
        {[
          'type:tools.call.denied',
          'type:accounting.**',
          'type:approvals.**',
          'principal:agent:',
          'principal:user:',
          'received_from:',
        ].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Button type="submit">{words.findButton}</Button>
      {Object.keys(qualified).length === 0 ? null : <Button onClick={() => onChange({})}>{words.all}</Button>}
    </form>
  );
}

function Found({ qualified, through }: { readonly qualified: Qualified; readonly through: string | null }): ReactNode {
  const words = useWords().activity;
  const pages = usePages<LogEvent>('accounting', '/api/audit/events', { ...qualified, limit: 100 });
  return (
    <CursorList pages={pages} empty={<Empty title={words.noneFound} />}>
      {(events) => (
        <Table
          label={words.title}
          rows={events}
          rowKey={({ id }) => id}
          to={({ id }) => `/activity/${id}`}
          record={({ id, type }) => ({ title: type, id, place: 'accounting', path: `/api/audit/events/${id}` })}
          columns={[
            { head: words.type, cell: (event) => <Happened of={event} />, first: true },
            { head: words.number, align: 'end', cell: ({ sequence }) => sequence },
            { head: words.who, cell: (event) => <Who of={event} /> },
            { head: words.when, cell: ({ received_at: at }) => <Moment at={at} /> },
            { head: words.day, cell: (event) => <Sealed is={isSealed(event, through)} /> },
          ]}
        />
      )}
    </CursorList>
  );
}
