import { Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import { Skeleton } from './skeleton.tsx';
import { Table } from './table.tsx';
import { orOutdated } from './later.tsx';
import type { PlotProps } from './plot-drawn.tsx';
import styles from './plot.module.css';

let drawing: Promise<{ readonly default: ComponentType<PlotProps> }> | undefined;
let Here: ComponentType<PlotProps> | undefined;

const load = async (): Promise<{ readonly default: ComponentType<PlotProps> }> =>
  (drawing ??= orOutdated(async () => {
    const { default: shown } = await import('./plot-drawn.tsx');
    return { default: (Here = shown) };
  }));

/**
 * Of a screen that shows a plot of what it reads: what draws it is loaded meanwhile. Asked for once there is something to draw, a place is
 * held for it, and what takes such a place React shows after 300 ms, though it came at once.
 */
export const usePlots = (): void =>
  useEffect(() => {
    void load();
  }, []);

function Drawn(props: PlotProps): ReactNode {
  const Shown = Here ?? use(load()).default;
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
