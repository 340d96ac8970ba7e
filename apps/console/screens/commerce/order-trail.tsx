import { Fragment, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { dayOf } from '../../data/moment.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { Problem } from '../../data/problem.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Happened } from '../../parts/happened.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Named } from '../../parts/named.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import type { Posting } from './types.ts';
import { WhyNot } from './why-not.tsx';

const tones: Readonly<Record<Posting['state'], Tone>> = {
  due: 'plain',
  waiting: 'waits',
  drafted: 'waits',
  posted: 'held',
  left_out: 'plain',
};

/** Whether the books refused it. What people voided waits too, and nobody tried anything. */
const hasFailed = ({ state, reason }: Posting): boolean => state === 'waiting' && reason !== 'document_void';

/** A draft is issued at its own page; what is left out for any other reason has nothing to post. */
const mayCarryOut = ({ state, reason }: Posting): boolean =>
  state === 'due' || state === 'waiting' || (state === 'left_out' && reason === 'profile_off');

/** Whether the server says what does not agree, or which account is meant: words of the page do not. */
const tellsMore = ({ reason }: Posting): boolean =>
  reason === 'posting_differs' || reason === 'people_post' || reason === 'posting_account_missing';

/** What an order owes the books, and what stands there. */
export function Books({ of }: { readonly of: readonly Posting[] }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const keeps = useMay('owner', 'admin', 'accountant');
  const act = useAct(async ({ id, ...on }: { readonly id: string; readonly date?: string }) =>
    api('commerce', `/api/order-postings/${id}/carry-out`, { tenant, body: on }),
  );
  const closed = act.error instanceof Problem && act.error.code === 'period_closed' ? act.variables?.id : undefined;
  if (of.length === 0) return <p className={styles['soft']}>{words.nothingInBooks}</p>;
  return (
    <>
      <ul className={styles['items']}>
        {of.map((one) => (
          <li key={one.id} className={styles['item']}>
            <div className={styles['spread']}>
              <span>
                {words.postingKind[one.kind]} <Badge tone={tones[one.state]}>{words.postingState[one.state]}</Badge>
              </span>
              <Moment at={one.updatedAt} />
            </div>
            {one.reason === null ? null : <WhyNot of={one} />}
            {one.detail === null || !tellsMore(one) ? null : (
              <span className={styles['soft']}>
                <Said>{one.detail}</Said>
              </span>
            )}
            <span className={styles['row']}>
              {one.documentId === null ? null : <Go to={`/money/documents/${one.documentId}`}>{words.toDocument}</Go>}
              {one.paymentIds.map((paymentId) => (
                <Go key={paymentId} to={`/money/payments/${paymentId}`}>
                  {words.toPayment}
                </Go>
              ))}
              {one.entryId === null ? null : <Go to={`/money/entries/${one.entryId}`}>{words.toEntry}</Go>}
            </span>
            {one.id === closed ? (
              <Form
                submit={words.carryOut}
                error={act.error}
                busy={act.isPending}
                onCancel={() => act.reset()}
                onSubmit={({ date = '' }) => act.mutate({ id: one.id, date })}
              >
                <Field
                  label={words.carryOutOn}
                  name="date"
                  kind="date"
                  value={dayOf(Date.now())}
                  hint={words.carryOutOnHint}
                />
              </Form>
            ) : keeps && mayCarryOut(one) ? (
              <div>
                <Button busy={act.isPending} onClick={() => act.mutate({ id: one.id })}>
                  {hasFailed(one) ? words.carryOutAgain : words.carryOut}
                </Button>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {closed === undefined ? <Failure error={act.error} /> : null}
    </>
  );
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly received_at: string;
  readonly sequence: number;
  readonly principal_chain: readonly { readonly principal_type: string; readonly principal_id: string }[];
  readonly display_names?: Readonly<Record<string, string>>;
}

/** Everything in the log that names it, newest first. */
export function Chain({ id }: { readonly id: string }): ReactNode {
  const words = useWords();
  const events = useApi<Paged<Event>>('accounting', '/api/audit/events', { query: { resource: id, limit: 50 } });
  return (
    <Section title={words.commerce.chain}>
      <Loaded query={events}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['soft']}>{words.parts.noEvents}</p>
          ) : (
            <ol className={styles['items']}>
              {items.map(({ id: event, type, payload, received_at, principal_chain, display_names = {} }) => (
                <li key={event} className={styles['spread']}>
                  <span>
                    <Go to={`/activity/${event}`}>
                      <Happened of={{ type, payload, principal_chain }} />
                    </Go>{' '}
                    <span className={styles['soft']}>
                      {principal_chain.map((one, at) => (
                        <Fragment key={`${one.principal_type}:${one.principal_id}`}>
                          {at === 0 ? null : ' → '}
                          <Named of={one} names={display_names} />
                        </Fragment>
                      ))}
                    </span>
                  </span>
                  <span className={styles['soft']}>
                    <Moment at={received_at} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}
