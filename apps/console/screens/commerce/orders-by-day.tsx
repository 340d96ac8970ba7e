import type { ReactNode } from 'react';
import { lastDays } from '../../data/days.ts';
import { shortDayText } from '../../data/moment.ts';
import { useApi } from '../../data/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Plot, usePlots } from '../../parts/plot.tsx';
import { useLocale, useWords } from '../../words/language.ts';

interface OrderDay {
  readonly day: string;
  readonly orders: number;
  readonly cancelled: number;
}

/** How many days are shown. */
const shown = 30;

/** How many orders were placed, day by day, in whatever currency. */
export function OrdersByDay({ mode }: { readonly mode: 'live' | 'test' }): ReactNode {
  usePlots();
  const words = useWords().commerce;
  const locale = useLocale();
  const days = lastDays(shown);
  const query = { mode, from: days[0], to: days.at(-1) };
  const counts = useApi<{ readonly items: readonly OrderDay[] }>('commerce', '/api/order-counts', { query });
  return (
    <Loaded query={counts} lines={6}>
      {({ items }) => {
        const of = (name: 'orders' | 'cancelled'): number[] =>
          days.map((day) => items.filter((one) => one.day === day).reduce((sum, one) => sum + one[name], 0));
        return items.length === 0 ? null : (
          <Section title={words.ordersByDay}>
            <Plot
              label={words.orderDay}
              kind="bars"
              labels={days.map((day) => shortDayText(day, locale))}
              series={[
                { name: words.ordersPlaced, values: of('orders') },
                { name: words.ordersCancelled, values: of('cancelled') },
              ]}
              say={(value) => Number(value).toLocaleString(locale)}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}
