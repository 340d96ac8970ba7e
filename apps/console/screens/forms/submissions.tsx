import { useState, type ReactNode } from 'react';
import { addressOf, api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Choice } from '../../parts/tabs.tsx';
import { Go, useFilters } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './forms.module.css';
import { FormFrame } from './frame.tsx';
import { Funnel } from './funnel.tsx';
import { answerText, type FormWhole, type Refusal, type Submission } from './types.ts';

const most = 100;

export default function Submissions(): ReactNode {
  return <FormFrame part="submissions">{(form) => <List of={form} />}</FormFrame>;
}

function List({ of }: { readonly of: FormWhole }): ReactNode {
  const words = useWords().forms;
  const tenant = useTenant();
  const [{ mode = 'live' }, setFilters] = useFilters();
  const testing = mode === 'test' ? 'test' : 'live';
  const [open, setOpen] = useState<Submission>();
  const path = `/api/forms/${of.id}`;
  const pages = usePages<Submission>('commerce', `${path}/submissions`, { mode: testing });
  const refusals = useApi<Paged<Refusal>>('commerce', `${path}/refusals`, { query: { limit: most } });
  const labels = new Map(of.fields.map(({ name, label }) => [name, label]));
  const shown = of.fields.filter(({ type }) => type !== 'hidden').slice(0, 3);
  const accepted = pages.data?.pages.flatMap(({ items }) => items).length ?? 0;
  return (
    <div className={styles['stack']}>
      <div className={styles['row']}>
        <Choice
          label={words.mode}
          value={testing}
          onChange={(next) => setFilters({ mode: next === 'live' ? undefined : next })}
          of={[
            ['live', words.live],
            ['test', words.test],
          ]}
        />
        <a
          download="submissions.csv"
          href={addressOf('commerce', `${path}/submissions.csv`, { tenant, query: { mode: testing } })}
        >
          {words.csv}
        </a>
      </div>
      <Funnel formId={of.id} mode={testing} />
      {open === undefined ? null : <One of={open} labels={labels} onClose={() => setOpen(undefined)} />}
      <CursorList
        pages={pages}
        empty={
          <Empty title={words.waiting} action={<ButtonLink to={`/forms/${of.id}/page`}>{words.toPage}</ButtonLink>}>
            {words.waitingLead}
          </Empty>
        }
      >
        {(items) => (
          <Table
            label={words.submissions}
            rows={items}
            rowKey={({ submissionId }) => submissionId}
            record={({ submissionId }) => ({
              title: words.submission,
              id: submissionId,
              place: 'commerce',
              path: `/api/submissions/${submissionId}`,
            })}
            columns={[
              {
                head: words.when,
                cell: (one) => (
                  <Button onClick={() => setOpen(one)}>
                    <Moment at={one.createdAt} />
                  </Button>
                ),
              },
              ...shown.map(({ name, label }) => ({
                head: label,
                cell: ({ data, erasedAt }: Submission) =>
                  erasedAt === undefined ? <Said>{short(answerText(data[name]))}</Said> : words.erased,
              })),
              {
                head: words.contact,
                cell: ({ contactId }) =>
                  contactId === undefined ? null : <Go to={`/people/${contactId}`}>{words.toContact}</Go>,
              },
              { head: words.version, align: 'end', wide: true, cell: ({ formVersion }) => formVersion },
            ]}
          />
        )}
      </CursorList>
      <Section title={words.whatCame}>
        <Loaded query={refusals}>
          {({ items, nextCursor }) => {
            const refused = items.reduce((sum, { times }) => sum + times, 0);
            const all = Math.max(1, accepted + refused);
            return (
              <ul className={styles['funnel']}>
                <Bar name={words.accepted} value={accepted} all={all} more={pages.hasNextPage} />
                <Bar name={words.refused} value={refused} all={all} more={(nextCursor ?? null) !== null} />
              </ul>
            );
          }}
        </Loaded>
      </Section>
      <Section title={words.refusals}>
        <Loaded query={refusals}>
          {({ items }) =>
            items.length === 0 ? (
              <p className={styles['soft']}>{words.noRefusals}</p>
            ) : (
              <Table
                label={words.refusals}
                rows={items}
                rowKey={({ refusalId }) => refusalId}
                columns={[
                  {
                    head: words.why,
                    cell: ({ code, errors }) => (
                      <span>
                        <code>{code}</code>{' '}
                        <Said>
                          {errors
                            .map(({ pointer, code: fault }) => {
                              const name = pointer.split('/').at(-1) ?? '';
                              return `${labels.get(name) ?? pointer}: ${fault}`;
                            })
                            .join(', ') || ' '}
                        </Said>
                      </span>
                    ),
                  },
                  { head: words.times, align: 'end', cell: ({ times }) => times },
                  { head: words.lastTime, cell: ({ lastAt }) => <Moment at={lastAt} ago /> },
                ]}
              />
            )
          }
        </Loaded>
      </Section>
    </div>
  );
}

const short = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

const Bar = ({
  name,
  value,
  all,
  more,
}: {
  readonly name: string;
  readonly value: number;
  readonly all: number;
  readonly more: boolean;
}): ReactNode => (
  <li>
    <span>{name}</span>
    <meter min={0} max={all} value={value} aria-label={name} />
    <span>{more ? `${value}+` : value}</span>
  </li>
);

function One({
  of,
  labels,
  onClose,
}: {
  readonly of: Submission;
  readonly labels: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}): ReactNode {
  const words = useWords().forms;
  const tenant = useTenant();
  const erases = useMay('owner', 'admin');
  const [sure, setSure] = useState(false);
  const act = useAct(
    async () =>
      api('commerce', `/api/submissions/${of.submissionId}/erasure`, { tenant, body: { reason: 'requested' } }),
    { onDone: onClose },
  );
  return (
    <Dialog title={words.submission} onClose={onClose} wide>
      <p className={styles['soft']}>
        <Moment at={of.createdAt} /> · {words.versionOf(of.formVersion)}
      </p>
      {of.possibleDuplicateOf === undefined ? null : <p>{words.duplicate}</p>}
      {of.erasedAt === undefined ? (
        <dl className={styles['answers']}>
          {Object.entries(of.data).map(([name, value]) => (
            <div key={name}>
              <dt>
                <Said>{labels.get(name) ?? name}</Said>
              </dt>
              <dd>
                <Said>{answerText(value)}</Said>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{words.erased}</p>
      )}
      {of.contactId === undefined ? null : <Go to={`/people/${of.contactId}`}>{words.toContact}</Go>}
      {erases && of.erasedAt === undefined ? (
        sure ? (
          <>
            <p>{words.eraseSure}</p>
            <div>
              <Button kind="danger" busy={act.isPending} onClick={() => act.mutate(undefined)}>
                {words.eraseYes}
              </Button>
            </div>
          </>
        ) : (
          <div>
            <Button kind="danger" onClick={() => setSure(true)}>
              {words.erase}
            </Button>
          </div>
        )
      ) : null}
      <Failure error={act.error} />
    </Dialog>
  );
}
