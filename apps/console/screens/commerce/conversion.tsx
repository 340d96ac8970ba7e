import type { ReactNode } from 'react';
import { lastDays } from '../../data/days.ts';
import { shortDayText } from '../../data/moment.ts';
import { useApi } from '../../data/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Plot, usePlots } from '../../parts/plot.tsx';
import { useLocale, useWords } from '../../words/language.ts';

interface CheckoutDay {
  readonly day: string;
  readonly begun: number;
  readonly completed: number;
}

/** How many days are shown: checkouts that were left are not kept for longer. */
const shown = 30;

/** How many checkouts began, day by day, and how many of them became orders. */
export function Conversion(): ReactNode {
  usePlots();
  const words = useWords().selling;
  const locale = useLocale();
  const days = lastDays(shown);
  const query = { from: days[0], to: days.at(-1) };
  const counts = useApi<{ readonly items: readonly CheckoutDay[] }>('commerce', '/api/checkout-counts', { query });
  return (
    <Loaded query={counts} lines={6}>
      {({ items }) => {
        const byDay = new Map(items.map((one) => [one.day, one]));
        const of = (name: 'begun' | 'completed'): number[] => days.map((day) => byDay.get(day)?.[name] ?? 0);
        const [begun, completed] = [of('begun'), of('completed')];
        const sum = (counted: readonly number[]): number => counted.reduce((all, one) => all + one, 0);
        const share = (sum(completed) / sum(begun)).toLocaleString(locale, { style: 'percent' });
        return items.length === 0 ? null : (
          <Section title={words.conversion}>
            <p>{words.conversionShare(sum(completed), sum(begun), share)}</p>
            <Plot
              label={words.day}
              kind="lines"
              labels={days.map((day) => shortDayText(day, locale))}
              series={[
                { name: words.begun, values: begun },
                { name: words.bought, values: completed },
              ]}
              say={(value) => Number(value).toLocaleString(locale)}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}
