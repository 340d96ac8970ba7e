import { Suspense, use, useState, type ComponentType, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { Skeleton } from './skeleton.tsx';
import { Table } from './table.tsx';
import { orOutdated } from './later.tsx';
import type { PlotProps } from './plot-drawn.tsx';
import styles from './plot.module.css';

// With the first screen that has a plot, beside what that reads: asked for once it is drawn, a place is held for it, and what takes such a
// place React shows after 300 ms, though it came at once.
const drawn = orOutdated(async () => {
  const { default: shown } = await import('./plot-drawn.tsx');
  return { default: (Here = shown) };
});
let Here: ComponentType<PlotProps> | undefined;

function Drawn(props: PlotProps): ReactNode {
  const Shown = Here ?? use(drawn).default;
  return <Shown {...props} />;
}

/** A plot with its table behind it. */
export function Plot(props: PlotProps): ReactNode {
  const words = useWords().parts;
  const [asTable, setAsTable] = useState(false);
  const { label, labels, series, say, to } = props;
  const rows = labels.map((name, at) => ({ name, at }));
  return (
    <figure className={styles['figure']}>
      <figcaption className={styles['caption']}>
        <ul className={styles['legend']}>
          {series.map(({ name }, at) => (
            <li key={name} data-series={at}>
              {name}
            </li>
          ))}
        </ul>
        <Button onClick={() => setAsTable(!asTable)}>{asTable ? words.asPlot : words.asTable}</Button>
      </figcaption>
      {asTable ? (
        <Table
          label={label}
          rows={rows}
          rowKey={({ name }) => name}
          {...(to === undefined ? {} : { to: ({ at }: { readonly at: number }) => to(at) })}
          columns={[
            { head: label, cell: ({ name }) => name },
            ...series.map(({ name, values }) => ({
              head: name,
              align: 'end' as const,
              cell: ({ at }: { readonly at: number }) => say(values[at] ?? 0),
            })),
          ]}
        />
      ) : (
        <Suspense fallback={<Skeleton lines={6} />}>
          <Drawn {...props} />
        </Suspense>
      )}
    </figure>
  );
}
