import type { ReactNode } from 'react';
import { moneyText, type Amount } from '../../data/money.ts';
import { sum, negated } from '../../data/decimal.ts';
import { useGraph } from '../../data/queries.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Plot, usePlots } from '../../parts/plot.tsx';
import { Go, type To } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { monthsUntil, monthText, today, type Period } from './days.ts';
import { Print } from './print.tsx';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

interface Profit {
  readonly result: Amount;
  readonly sections: readonly { readonly title: string; readonly total: Amount }[];
}

interface Cash {
  readonly closing: Amount;
  readonly sections: readonly { readonly lines: readonly { readonly amount: Amount }[] }[];
}

interface Aged {
  readonly total: Amount;
  readonly buckets: readonly Amount[];
}

/** Documents ask for so many months by name: `f0` and `t0` are the first and the last day of the first. */
const count = 12;
const inDocument = (months: readonly Period[]): Readonly<Record<string, string>> =>
  Object.fromEntries(months.flatMap(({ from, to }, at) => [[`f${at}`, from] as const, [`t${at}`, to] as const]));

/** What of the month was in and out: amounts that came are above zero. */
const flow = ({ sections }: Cash, inward: boolean): string =>
  sum(
    '0',
    ...sections.flatMap(({ lines }) =>
      lines.map(({ amount }) => amount.amount).filter((amount) => amount.startsWith('-') !== inward),
    ),
  );

export default function Overview(): ReactNode {
  usePlots();
  const words = useWords().money;
  const locale = useLocale();
  const months = monthsUntil(today(), count);
  const variables = inDocument(months);
  const profit = useGraph<Readonly<Record<string, Profit>>>('money-profit', variables);
  const cash = useGraph<Readonly<Record<string, Cash>>>('money-cash', variables);
  const aged = useGraph<{ readonly receivable: Aged; readonly payable: Aged }>('money-aged', { asOf: today() });
  const labels = months.map(({ from }) => monthText(from, locale, 'short'));
  const period = (at: number): string => `from=${months[at]?.from ?? ''}&to=${months[at]?.to ?? ''}`;
  const say =
    (currency: string) =>
    (value: string | number): string =>
      moneyText({ amount: String(value), currency }, locale);
  const each = <T,>(data: Readonly<Record<string, T>>): readonly T[] =>
    months.map((_, at) => data[`m${at}`]).filter((one): one is T => one !== undefined);

  return (
    <Page title={words.tabs.overview} lead={words.overview.lead} actions={<Print />} bar={<MoneyTabs />}>
      <Section
        title={words.overview.profit}
        actions={<Go to="/money/reports/profit-and-loss">{words.reports['profit-and-loss']}</Go>}
      >
        <Loaded query={profit} lines={7}>
          {(data) => {
            const all = each(data);
            const last = all.at(-1)?.result;
            const nothing = all.every(({ sections }) => sections.every(({ total }) => !/[1-9]/.test(total.amount)));
            if (last === undefined || nothing)
              return (
                <Empty title={words.overview.empty} prompt={words.overview.emptyPrompt}>
                  {words.overview.emptyLead}
                </Empty>
              );
            const of = (at: number): readonly string[] => all.map(({ sections }) => sections[at]?.total.amount ?? '0');
            return (
              <>
                <Headline label={words.overview.thisMonth} value={moneyText(last, locale)} />
                <Plot
                  label={words.overview.month}
                  kind="bars"
                  labels={labels}
                  series={[
                    { name: words.overview.income, values: of(0) },
                    { name: words.overview.expenses, values: of(1) },
                    { name: words.overview.result, values: all.map(({ result }) => result.amount) },
                  ]}
                  say={say(last.currency)}
                  to={(at): To => `/money/reports/profit-and-loss?${period(at)}`}
                />
              </>
            );
          }}
        </Loaded>
      </Section>
      <Section
        title={words.overview.cash}
        actions={<Go to="/money/reports/cash-flow">{words.reports['cash-flow']}</Go>}
      >
        <Loaded query={cash} lines={7}>
          {(data) => {
            const all = each(data);
            const last = all.at(-1)?.closing;
            if (last === undefined) return null;
            return (
              <>
                <Headline label={words.overview.cashNow} value={moneyText(last, locale)} />
                <Plot
                  label={words.overview.month}
                  kind="bars"
                  labels={labels}
                  series={[
                    { name: words.overview.moneyIn, values: all.map((one) => flow(one, true)) },
                    { name: words.overview.moneyOut, values: all.map((one) => negated(flow(one, false))) },
                    { name: words.overview.balance, values: all.map(({ closing }) => closing.amount) },
                  ]}
                  say={say(last.currency)}
                  to={(at): To => `/money/reports/cash-flow?${period(at)}`}
                />
              </>
            );
          }}
        </Loaded>
      </Section>
      <div className={styles['two']}>
        {(['receivable', 'payable'] as const).map((side) => (
          <Section
            key={side}
            title={words.overview[side]}
            actions={<Go to={`/money/reports/aged?side=${side}`}>{words.reports.aged}</Go>}
          >
            <Loaded query={aged} lines={6}>
              {(data) => {
                const amounts = data[side].buckets.map(({ amount }) => amount);
                return (
                  <>
                    <Headline label={words.overview.open} value={moneyText(data[side].total, locale)} />
                    {amounts.some((amount) => /[1-9]/.test(amount)) ? (
                      <Plot
                        label={words.overview.overdue}
                        kind="bars"
                        labels={words.buckets}
                        series={[{ name: words.overview.open, values: amounts }]}
                        say={say(data[side].total.currency)}
                        to={(): To => `/money/reports/aged?side=${side}`}
                      />
                    ) : (
                      <p className={styles['soft']}>{words.overview.settled}</p>
                    )}
                  </>
                );
              }}
            </Loaded>
          </Section>
        ))}
      </div>
    </Page>
  );
}

const Headline = ({ label, value }: { readonly label: string; readonly value: string }): ReactNode => (
  <p className={styles['headline']}>
    <span>{label}</span> <strong>{value}</strong>
  </p>
);
