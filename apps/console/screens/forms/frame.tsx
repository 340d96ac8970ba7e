import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { tones } from './forms.tsx';
import type { FormWhole } from './types.ts';

/** The pages of one form have one head. */
export function FormFrame({
  part,
  children,
  actions,
}: {
  readonly part: 'build' | 'submissions' | 'versions' | 'onPage';
  readonly children: (form: FormWhole) => ReactNode;
  readonly actions?: (form: FormWhole) => ReactNode;
}): ReactNode {
  const { form: id = '' } = useParams({ strict: false }) as { form?: string };
  const words = useWords().forms;
  const form = useApi<FormWhole>('studio', `/api/forms/${id}`);
  const { data } = form;
  useRecord({ title: data?.name ?? words.form, id, place: 'studio', path: `/api/forms/${id}` });
  return (
    <Page
      title={data?.name ?? words.form}
      part={words[part]}
      lead={
        data === undefined ? null : (
          <>
            <Badge tone={tones[data.status]}>{words.states[data.status]}</Badge>{' '}
            {data.activeVersion === null ? null : words.versionOf(data.activeVersion)}{' '}
            {data.hasUnpublishedChanges && data.activeVersion !== null ? (
              <Badge tone="waits">{words.unpublishedChanges}</Badge>
            ) : null}
          </>
        )
      }
      actions={data === undefined ? null : actions?.(data)}
      bar={
        <Tabs
          label={words.form}
          of={[
            [`/forms/${id}`, words.build],
            [`/forms/${id}/submissions`, words.submissions],
            [`/forms/${id}/versions`, words.versions],
            [`/forms/${id}/page`, words.onPage],
          ]}
        />
      }
    >
      <Loaded query={form} lines={10}>
        {(whole) => <div key={id}>{children(whole)}</div>}
      </Loaded>
    </Page>
  );
}
