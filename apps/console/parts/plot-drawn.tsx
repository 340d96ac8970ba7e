import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { ReactNode } from 'react';
import { roughly } from '../data/money.ts';
import { useGo } from '../shell/go.tsx';
import { useLocale } from '../words/language.ts';
import type { PlotProps } from './plot.tsx';
import styles from './plot.module.css';

const [width, height] = [640, 220];
const edge = { top: 12, right: 8, bottom: 24, left: 56 };

/** Bars or lines. The whole is one picture to those who hear it: its table says the numbers. */
export default function Drawn({ label, kind, labels, series, say, to }: PlotProps): ReactNode {
  const go = useGo();
  const short = new Intl.NumberFormat(useLocale(), { notation: 'compact' });
  const numbers = series.map(({ values }) =>
    values.map((value) => (typeof value === 'number' ? value : roughly(value))),
  );
  const all = numbers.flat();
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [height - edge.bottom, edge.top]).nice(4);
  const x = scaleBand(
    labels.map((_, at) => at),
    [edge.left, width - edge.right],
  ).padding(0.25);
  const part = x.bandwidth() / (kind === 'bars' ? series.length : 1);
  const middle = (at: number): number => (x(at) ?? 0) + x.bandwidth() / 2;
  const path = line<number>(
    (_, at) => middle(at),
    (value) => y(value),
  );
  const every = Math.ceil(labels.length / 8);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={styles['plot']} role="img" aria-label={label}>
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line
            x1={edge.left}
            x2={width - edge.right}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? styles['zero'] : styles['grid']}
          />
          <text x={edge.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {short.format(tick)}
          </text>
        </g>
      ))}
      {labels.map((name, at) =>
        at % every === 0 ? (
          <text key={name} x={middle(at)} y={height - 6} textAnchor="middle">
            {name}
          </text>
        ) : null,
      )}
      {kind === 'lines'
        ? numbers.map((values, place) => (
            <path
              key={series[place]?.name}
              d={path([...values]) ?? ''}
              data-series={place}
              className={styles['line']}
            />
          ))
        : null}
      {labels.map((name, at) => (
        <g
          key={name}
          className={to === undefined ? undefined : styles['opens']}
          onClick={to === undefined ? undefined : () => go(to(at))}
        >
          <rect
            x={x(at)}
            y={edge.top}
            width={x.bandwidth()}
            height={height - edge.top - edge.bottom}
            className={styles['area']}
          />
          {kind === 'bars'
            ? numbers.map((values, place) => (
                <rect
                  key={series[place]?.name}
                  x={(x(at) ?? 0) + place * part}
                  width={Math.max(1, part - 1)}
                  y={Math.min(y(values[at] ?? 0), y(0))}
                  height={Math.abs(y(values[at] ?? 0) - y(0))}
                  rx={1.5}
                  data-series={place}
                  className={styles['bar']}
                />
              ))
            : numbers.map((values, place) => (
                <circle
                  key={series[place]?.name}
                  cx={middle(at)}
                  cy={y(values[at] ?? 0)}
                  r={2.5}
                  data-series={place}
                  className={styles['bar']}
                />
              ))}
          <title>
            {[name, ...series.map(({ name: one, values }) => `${one}: ${say(values[at] ?? 0)}`)].join('\n')}
          </title>
        </g>
      ))}
    </svg>
  );
}
