import { useState, type ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useGraph, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
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
  const revalue = useAct(async () =>
    graph<{ readonly revalueOpenItems: number }>(tenant, 'money-revalue', { day: period.to }),
  );
  const close = useAct(async () => graph(tenant, 'money-period-close', { month: period.from }), {
    onDone: () => go(`/money/close?month=${period.from}`),
  });
  const closeYear = useAct(async () => graph(tenant, 'money-year-close', { day: period.to }));
  const reopen = useAct(
    async (reason: string) => graph(tenant, 'money-period-reopen', { month: period.from, reason }),
    { onDone: () => setReopening(false) },
  );
  const month = monthText(period.from, locale);
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
              const done = account.agreedTo !== null && account.agreedTo >= period.to;
              return (
                <Step
                  key={account.id}
                  done={done}
                  title={words.close.bank(`${account.code} ${account.name}`)}
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
        <Loaded query={revalued} lines={2}>
          {({ journalEntries }) => {
            const count = revalue.data?.revalueOpenItems;
            const done = journalEntries.items.length > 0 || count !== undefined;
            return (
              <Step
                done={done}
                title={words.close.revalue}
                lead={count === undefined ? words.close.revalueLead : words.close.revalued(count)}
              >
                {may && !closed && !done ? (
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
            <Button kind="first" busy={close.isPending} onClick={() => close.mutate(undefined)}>
              {words.close.closeNow}
            </Button>
          )}
          <Failure error={close.error} />
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
