import { useState, type ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, useGraph, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useFilters, useGo } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { dayText } from '../../data/moment.ts';
import type { BankAccount } from './bank-line.ts';
import { isDay, monthOf, monthsUntil, monthText, today, type Period } from './days.ts';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

interface Month {
  readonly month: string;
  readonly status: string;
  readonly yearClosed: boolean;
}

/** What orders owe the books and has come up by a day: the oldest come first. */
function useOwed(state: 'due' | 'waiting', until: string) {
  const limit = 50;
  const { data } = useApi<Paged<{ readonly createdAt: string }>>('commerce', '/api/order-postings', {
    query: { state, limit },
  });
  if (data === undefined) return undefined;
  const owed = data.items.filter(({ createdAt }) => createdAt.slice(0, 10) <= until).length;
  return { owed, more: owed === limit };
}

/** Closing a month is a list of what is done first; nothing but the last line changes anything. */
export default function Close(): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const [filters] = useFilters();
  const query = useGraph<{ readonly accountingPeriods: readonly Month[] }>('money-periods');
  return (
    <Page title={words.tabs.close} lead={words.close.lead} bar={<MoneyTabs />}>
      <Loaded query={query} lines={8}>
        {({ accountingPeriods: months }) => {
          const now = monthOf(today()).from;
          const open = months.filter(({ month, status }) => status === 'open' && month < now).map(({ month }) => month);
          const asked = isDay(filters['month']) ? monthOf(filters['month']).from : undefined;
          const chosen = asked ?? open.toSorted()[0] ?? monthsUntil(today(), 2)[0]?.from ?? now;
          const state = months.find(({ month }) => month === chosen);
          return (
            <>
              <Checklist
                key={chosen}
                period={monthOf(chosen)}
                closed={state?.status === 'closed'}
                yearClosed={state?.yearClosed === true}
              />
              <Section title={words.close.months} plain>
                <Table
                  label={words.close.months}
                  rows={months}
                  rowKey={({ month }) => month}
                  to={({ month }) => `/money/close?month=${month}`}
                  columns={[
                    { head: words.close.month, first: true, cell: ({ month }) => monthText(month, locale) },
                    {
                      head: words.status,
                      cell: ({ status, yearClosed }) =>
                        status === 'closed' ? (
                          <Badge tone="held">{yearClosed ? words.close.yearClosed : words.close.closed}</Badge>
                        ) : (
                          <Badge>{words.close.open}</Badge>
                        ),
                    },
                  ]}
                />
              </Section>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Checklist({
  period,
  closed,
  yearClosed,
}: {
  readonly period: Period;
  readonly closed: boolean;
  readonly yearClosed: boolean;
}): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const tenant = useTenant();
  const go = useGo();
  const may = useMay(...bookkeepers);
  const [reopening, setReopening] = useState(false);
  const [asking, setAsking] = useState(false);
  const banks = useGraph<{ readonly bankAccounts: readonly BankAccount[] }>('money-bank');
  const drafts = useGraph<{ readonly documents: Paged<unknown> }>('money-documents', {
    status: 'draft',
    from: period.from,
    to: period.to,
  });
  const revalued = useGraph<{ readonly journalEntries: Paged<unknown> }>('money-entries', {
    kind: 'revaluation',
    from: period.to,
    to: period.to,
  });
  const rates = useGraph<{ readonly exchangeRates: Paged<unknown> }>('money-rate', { to: period.to });
  const revalue = useAct(async () =>
    graph<{ readonly revalueOpenItems: number }>(tenant, 'money-revalue', { day: period.to }),
  );
  const close = useAct(async () => graph(tenant, 'money-period-close', { month: period.from }), {
    onDone: () => {
      setAsking(false);
      go(`/money/close?month=${period.from}`);
    },
  });
  const closeYear = useAct(async () => graph(tenant, 'money-year-close', { day: period.to }));
  const reopen = useAct(
    async (reason: string) => graph(tenant, 'money-period-reopen', { month: period.from, reason }),
    { onDone: () => setReopening(false) },
  );
  const month = monthText(period.from, locale);
  const [due, waiting] = [useOwed('due', period.to), useOwed('waiting', period.to)];
  const owed = due === undefined || waiting === undefined ? undefined : due.owed + waiting.owed;
  const isAgreed = ({ agreedTo }: BankAccount): boolean => agreedTo !== null && agreedTo >= period.to;
  const bankOf = ({ code, name }: BankAccount): string => words.close.bank(`${code} ${name}`);
  const isRevalued = (revalued.data?.journalEntries.items.length ?? 0) > 0 || revalue.data !== undefined;
  /** Without any rate nothing of the books is in another currency. */
  const isForeign = rates.data?.exchangeRates.items.length !== 0;
  /** What was not answered yet is not known to be done. */
  const undone = [
    ...(banks.data?.bankAccounts ?? []).filter((one) => !isAgreed(one)).map(bankOf),
    ...(drafts.data?.documents.items.length === 0 ? [] : [words.close.drafts]),
    ...(owed === 0 ? [] : [words.close.orders]),
    ...(isRevalued || !isForeign ? [] : [words.close.revalue]),
  ];
  const closeIt = (): void => close.mutate(undefined);
  return (
    <Section
      title={month}
      actions={
        <Badge tone={closed ? 'held' : 'plain'}>
          {yearClosed ? words.close.yearClosed : closed ? words.close.closed : words.close.open}
        </Badge>
      }
    >
      <ol className={styles['checks']}>
        <Loaded query={banks} lines={2}>
          {({ bankAccounts }) =>
            bankAccounts.map((account) => {
              const done = isAgreed(account);
              return (
                <Step
                  key={account.id}
                  done={done}
                  title={bankOf(account)}
                  lead={
                    account.agreedTo === null
                      ? words.bankWords.notAgreed
                      : `${words.bankWords.agreedTo} ${dayText(account.agreedTo, locale)}`
                  }
                >
                  {done ? null : <ButtonLink to={`/money/bank/${account.code}`}>{words.close.toBank}</ButtonLink>}
                </Step>
              );
            })
          }
        </Loaded>
        <Loaded query={drafts} lines={2}>
          {({ documents }) => {
            const count = documents.items.length;
            return (
              <Step
                done={count === 0}
                title={words.close.drafts}
                lead={count === 0 ? words.close.draftsNone : words.close.draftsLead(count)}
              >
                {count === 0 ? null : (
                  <ButtonLink to={`/money/documents?status=draft&from=${period.from}&to=${period.to}`}>
                    {words.close.toDrafts}
                  </ButtonLink>
                )}
              </Step>
            );
          }}
        </Loaded>
        {owed === undefined ? null : (
          <Step
            done={owed === 0}
            title={words.close.orders}
            lead={
              owed === 0
                ? words.close.ordersNone
                : words.close.ordersLeft(`${owed}${due?.more === true || waiting?.more === true ? '+' : ''}`)
            }
          >
            {owed === 0 ? null : <ButtonLink to="/commerce?view=problems">{words.close.toOrders}</ButtonLink>}
          </Step>
        )}
        <Loaded query={revalued} lines={2}>
          {() => {
            const count = revalue.data?.revalueOpenItems;
            return (
              <Step
                done={isRevalued}
                title={words.close.revalue}
                lead={count === undefined ? words.close.revalueLead : words.close.revalued(count)}
              >
                {may && !closed && !isRevalued ? (
                  <Button busy={revalue.isPending} onClick={() => revalue.mutate(undefined)}>
                    {words.close.revalueNow}
                  </Button>
                ) : null}
                <Failure error={revalue.error} />
              </Step>
            );
          }}
        </Loaded>
        <Step done={closed} title={words.close.close(month)} lead={words.close.closeLead}>
          {!may || yearClosed ? null : closed ? (
            <Button onClick={() => setReopening(true)}>{words.close.reopen}</Button>
          ) : (
            <Button
              kind="first"
              busy={close.isPending}
              onClick={() => (undone.length === 0 ? closeIt() : setAsking(true))}
            >
              {words.close.closeNow}
            </Button>
          )}
          {asking ? null : <Failure error={close.error} />}
        </Step>
        {closed && period.to.slice(5) === '12-31' ? (
          <Step done={yearClosed} title={words.close.year} lead={words.close.yearLead}>
            {may && !yearClosed ? (
              <Button busy={closeYear.isPending} onClick={() => closeYear.mutate(undefined)}>
                {words.close.yearNow}
              </Button>
            ) : null}
            <Failure error={closeYear.error} />
          </Step>
        ) : null}
      </ol>
      {asking ? (
        <Confirm
          title={words.close.close(month)}
          act={close}
          onConfirm={closeIt}
          submit={words.close.closeAnyway}
          onClose={() => setAsking(false)}
        >
          <p>{words.close.openLead}</p>
          <ul>
            {undone.map((step) => (
              <li key={step}>
                <Shown>{step}</Shown>
              </li>
            ))}
          </ul>
          <p>{words.close.closeLead}</p>
        </Confirm>
      ) : null}
      {reopening ? (
        <Dialog title={words.close.reopen} onClose={() => setReopening(false)}>
          <p>{words.close.reopenLead}</p>
          <Form
            onSubmit={({ reason = '' }) => reopen.mutate(reason)}
            error={reopen.error}
            busy={reopen.isPending}
            submit={words.close.reopen}
            onCancel={() => setReopening(false)}
          >
            <Field label={words.reason} name="reason" autoFocus />
          </Form>
        </Dialog>
      ) : null}
    </Section>
  );
}

function Step({
  done,
  title,
  lead,
  children,
}: {
  readonly done: boolean;
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}): ReactNode {
  const words = useWords().money;
  return (
    <li className={styles['check']}>
      <span
        className={styles['mark']}
        data-done={done}
        role="img"
        aria-label={done ? words.close.done : words.close.notDone}
      >
        {done ? '✓' : '○'}
      </span>
      <div>
        <h3>
          <Shown>{title}</Shown>
        </h3>
        <p>{lead}</p>
      </div>
      <div className={styles['act']}>{children}</div>
    </li>
  );
}
