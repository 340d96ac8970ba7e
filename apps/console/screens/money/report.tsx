import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import { useOrganization } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { dayText } from '../../data/moment.ts';
import { useFilters } from '../../shell/go.tsx';
import { Lost } from '../../shell/lost.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { before, isDay, monthBefore, monthOf, today, yearBefore, yearTo, type Period } from './days.ts';
import { ChoiceFilter, DayFilter, FilterBar } from './filters.tsx';
import { Print } from './print.tsx';
import { ReportTable } from './report-table.tsx';
import { isReportName, type ReportName } from './report-names.ts';
import { rowsOf, type Answers, type Asked } from './report-rows.ts';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

/** Reports of a day; all others are of a period. */
const ofDay: readonly ReportName[] = ['balance-sheet', 'trial-balance', 'aged'];
const withBasis: readonly ReportName[] = ['profit-and-loss', 'balance-sheet', 'trial-balance', 'tax-liability'];

export default function ReportScreen(): ReactNode {
  const { report } = useParams({ strict: false }) as { report?: string };
  if (!isReportName(report)) return <Lost />;
  return <Report key={report} name={report} />;
}

function Report({ name }: { readonly name: ReportName }): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const organization = useOrganization();
  const [filters] = useFilters();
  const day = ofDay.includes(name);
  const asked = askedBy(filters, day);
  const compares = name !== 'aged';
  const compared = compares ? asked.compared : undefined;
  const variables = {
    ...(day ? { asOf: asked.to } : { from: asked.from, to: asked.to }),
    ...(compared === undefined
      ? {}
      : day
        ? { compareAsOf: compared.to }
        : { compareFrom: compared.from, compareTo: compared.to }),
    ...(withBasis.includes(name) ? { basis: asked.basis } : {}),
    ...(name === 'aged' ? { side: asked.side, ...(asked.party === undefined ? {} : { partyId: asked.party }) } : {}),
  };
  const query = useGraph<Answers>(name === 'aged' ? 'money-aged-report' : `money-${name}`, variables);
  const { asOf, from, to, compareAsOf, compareFrom, compareTo, basis } = variables as Readonly<
    Record<string, string | undefined>
  >;
  const file = addressOf('accounting', `/api/reports/${name}.csv`, {
    tenant: organization.id,
    query: {
      asOf,
      from,
      to,
      compareAsOf,
      compareFrom,
      compareTo,
      basis,
      ...(name === 'aged' ? { side: asked.side } : {}),
    },
  });
  const dayed = (text: string): string => dayText(text, locale);
  const when = day ? words.onDay(dayed(asked.to)) : words.fromTo(dayed(asked.from), dayed(asked.to));
  const title = name === 'aged' ? words.overview[asked.side] : words.reports[name];
  return (
    <Page
      title={title}
      lead={[
        organization.name,
        when,
        ...(asked.basis === 'cash' && withBasis.includes(name) ? [words.cashBasis] : []),
      ].join(' · ')}
      actions={
        <>
          <a href={file} download className={styles['file']}>
            CSV
          </a>
          <Print />
        </>
      }
      bar={
        <MoneyTabs>
          <FilterBar>
            {day ? (
              <DayFilter name="to" label={words.asOf} otherwise={today()} />
            ) : (
              <>
                <DayFilter name="from" label={words.from} otherwise={asked.from} />
                <DayFilter name="to" label={words.to} otherwise={asked.to} />
              </>
            )}
            {compares ? (
              <ChoiceFilter
                name="compare"
                label={words.compare}
                of={[
                  ['', words.compareNone],
                  ...(day ? [] : [['before', words.compareBefore] as const]),
                  ['month', words.compareMonth],
                  ['year', words.compareYear],
                ]}
              />
            ) : (
              <>
                <ChoiceFilter
                  name="side"
                  label={words.side}
                  otherwise="receivable"
                  of={[
                    ['receivable', words.overview.receivable],
                    ['payable', words.overview.payable],
                  ]}
                />
                <ChoiceFilter
                  name="overdue"
                  label={words.status}
                  of={[
                    ['', words.all],
                    ['yes', words.overdue],
                  ]}
                />
              </>
            )}
            {withBasis.includes(name) ? (
              <ChoiceFilter
                name="basis"
                label={words.basis}
                otherwise="accrual"
                of={[
                  ['accrual', words.accrual],
                  ['cash', words.cashBasis],
                ]}
              />
            ) : null}
          </FilterBar>
        </MoneyTabs>
      }
    >
      <Loaded query={query} lines={12}>
        {(data) => {
          const { first, columns, rows, currency } = rowsOf(name, data, asked, { words, dayed });
          return (
            <>
              <p className={styles['unit']}>
                {words.inCurrency(currency)} {asked.basis === 'cash' ? words.cashNoLedger : ''}
              </p>
              <ReportTable caption={`${title}, ${when}`} first={first ?? words.account} columns={columns} rows={rows} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** What the address asks for; by default this year so far, or today. */
function askedBy(filters: Readonly<Record<string, string | undefined>>, day: boolean): Asked {
  const otherwise = yearTo(today());
  const to = isDay(filters['to']) ? filters['to'] : otherwise.to;
  const given = isDay(filters['from']) ? filters['from'] : yearTo(to).from;
  const period: Period = { from: given > to ? monthOf(to).from : given, to };
  const compare = filters['compare'];
  const compared =
    compare === 'year'
      ? yearBefore(period)
      : compare === 'month'
        ? monthBefore(day ? to : period.from)
        : compare === 'before' && !day
          ? before(period)
          : undefined;
  return {
    ...period,
    compared,
    basis: filters['basis'] === 'cash' ? 'cash' : 'accrual',
    side: filters['side'] === 'payable' ? 'payable' : 'receivable',
    party: filters['party'],
    overdue: filters['overdue'] === 'yes',
  };
}
