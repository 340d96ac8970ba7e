import type { ReactNode } from 'react';
import { shortDayText } from '../../data/moment.ts';
import { useApi } from '../../data/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Plot, usePlots } from '../../parts/plot.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { lastDays } from '../../data/days.ts';

interface FormDay {
  readonly day: string;
  readonly reads: number;
  readonly starts: number;
  readonly refused: number;
  readonly submitted: number;
}

/** How many days are shown. */
const shown = 30;

/** How often forms were read, refused and submitted, day by day: one form, or all of them. */
export function Funnel({
  formId,
  mode = 'live',
}: {
  readonly formId?: string;
  readonly mode?: 'live' | 'test';
}): ReactNode {
  usePlots();
  const words = useWords().forms;
  const locale = useLocale();
  const days = lastDays(shown);
  const query = { formId, mode, from: days[0], to: days.at(-1) };
  const counts = useApi<{ readonly items: readonly FormDay[] }>('commerce', '/api/form-counts', { query });
  return (
    <Section title={words.funnel}>
      <Loaded query={counts} lines={6}>
        {({ items }) => {
          const byDay = new Map(items.map((one) => [one.day, one]));
          const of = (name: 'reads' | 'starts' | 'refused' | 'submitted'): number[] =>
            days.map((day) => byDay.get(day)?.[name] ?? 0);
          return items.length === 0 ? (
            <p>{words.funnelEmpty}</p>
          ) : (
            <Plot
              label={words.funnelDay}
              kind="lines"
              labels={days.map((day) => shortDayText(day, locale))}
              series={[
                { name: words.funnelReads, values: of('reads') },
                { name: words.funnelStarts, values: of('starts') },
                { name: words.funnelSubmitted, values: of('submitted') },
                { name: words.funnelRefused, values: of('refused') },
              ]}
              say={(value) => Number(value).toLocaleString(locale)}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}
