import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { compared } from './compared.ts';
import styles from './forms.module.css';
import { FormFrame } from './frame.tsx';
import type { Drawn, FormWhole, Version, VersionWhole } from './types.ts';

export default function Versions(): ReactNode {
  return <FormFrame part="versions">{(form) => <List of={form} />}</FormFrame>;
}

function List({ of }: { readonly of: FormWhole }): ReactNode {
  const words = useWords().forms;
  const tenant = useTenant();
  const manages = useMay('owner', 'admin', 'developer', 'merchandiser');
  const pages = usePages<Version>('studio', `/api/forms/${of.id}/versions`);
  const act = useAct(async (version: number) =>
    api('studio', `/api/forms/${of.id}/publish`, { tenant, body: { version } }),
  );
  return (
    <div className={styles['stack']}>
      <CursorList pages={pages} empty={<Empty title={words.noVersions} />}>
        {(items) => (
          <>
            <Compare of={of} versions={items} />
            <Table
              label={words.versions}
              rows={items}
              rowKey={({ version }) => String(version)}
              columns={[
                {
                  head: words.version,
                  cell: ({ version }) => (
                    <>
                      {words.versionOf(version)}{' '}
                      {version === of.activeVersion ? <Badge tone="held">{words.shown}</Badge> : null}
                    </>
                  ),
                },
                { head: words.published, cell: ({ publishedAt }) => <Moment at={publishedAt} /> },
                { head: words.by, wide: true, cell: ({ publishedBy }) => <Said>{publishedBy}</Said> },
                ...(manages
                  ? [
                      {
                        head: words.show,
                        cell: ({ version }: Version) =>
                          version === of.activeVersion ? null : (
                            <Button busy={act.isPending} onClick={() => act.mutate(version)}>
                              {words.showAgain}
                            </Button>
                          ),
                      },
                    ]
                  : []),
              ]}
            />
          </>
        )}
      </CursorList>
      <Failure error={act.error} />
    </div>
  );
}

/** Two versions, or one and the draft: what differs, field by field. */
function Compare({ of, versions }: { readonly of: FormWhole; readonly versions: readonly Version[] }): ReactNode {
  const words = useWords().forms;
  const [filters, setFilters] = useFilters();
  const latest = String(versions[0]?.version ?? '');
  const { from = latest, to = 'draft' } = filters;
  const one = useVersion(of, from);
  const other = useVersion(of, to);
  const choices = [
    ...versions.map(({ version }) => [String(version), words.versionOf(version)] as const),
    ['draft', words.draftVersion] as const,
  ];
  return (
    <Section title={words.compare}>
      <div className={styles['pair']}>
        <Field
          label={words.from}
          name="from"
          value={from}
          options={choices}
          onChange={(next) => setFilters({ from: next })}
        />
        <Field label={words.to} name="to" value={to} options={choices} onChange={(next) => setFilters({ to: next })} />
      </div>
      <Loaded query={one}>
        {(before) => <Loaded query={other}>{(after) => <Differences before={before} after={after} />}</Loaded>}
      </Loaded>
    </Section>
  );
}

const useVersion = (of: FormWhole, version: string) =>
  useApi<Drawn & Partial<VersionWhole>>(
    'studio',
    version === 'draft' ? `/api/forms/${of.id}` : `/api/forms/${of.id}/versions/${version}`,
  );

function Differences({ before, after }: { readonly before: Drawn; readonly after: Drawn }): ReactNode {
  const words = useWords().forms;
  const rows = compared(before, after);
  if (rows.length === 0) return <p className={styles['soft']}>{words.alike}</p>;
  const said = {
    added: words.fieldAdded,
    removed: words.fieldRemoved,
    moved: words.fieldMoved,
    changed: words.fieldChanged,
  };
  return (
    <Table
      label={words.compare}
      rows={rows}
      rowKey={({ field, what, member }) => `${field} ${what} ${member}`}
      columns={[
        { head: words.field, cell: ({ field }) => <Said>{field}</Said> },
        {
          head: words.change,
          cell: ({ what, member }) => (
            <>
              {said[what]} {member === '' ? null : <code>{member}</code>}
            </>
          ),
        },
        { head: words.before, cell: ({ before: text }) => <Said>{text}</Said> },
        { head: words.after, cell: ({ after: text }) => <Said>{text}</Said> },
      ]}
    />
  );
}
