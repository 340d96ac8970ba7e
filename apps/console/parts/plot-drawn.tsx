import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { numberFormat } from '../data/formats.ts';
import { roughly } from '../data/money.ts';
import { useGo } from '../shell/go.tsx';
import { useLocale } from '../words/language.ts';
import type { To } from '../shell/go.tsx';
import styles from './plot.module.css';

export interface Series {
  readonly name: string;
  /** A value for each label: decimal strings or counts. */
  readonly values: readonly (string | number)[];
}

export interface PlotProps {
  /** What it shows, as a sentence would begin. */
  readonly label: string;
  readonly kind: 'bars' | 'lines';
  /** Along the axis, such as months. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** How a value is said, such as money. */
  readonly say: (value: string | number) => string;
  /** Where a label leads: each bar opens what it is made of. */
  readonly to?: (at: number) => To;
}

const height = 240;
/** What a letter takes, at most. */
const letter = 7;

/** A label in two lines, as even as its words allow; one, where it has but one word. */
function inTwo(label: string): readonly string[] {
  const words = label.split(' ');
  const lines = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]);
  const longest = (one: readonly string[]): number => Math.max(...one.map(({ length }) => length));
  return lines.toSorted((a, b) => longest(a) - longest(b))[0] ?? [label];
}

/**
 * Bars or lines, drawn as wide as their place is, so that its words are as large as those around. The whole is one picture to those who hear
 * it: its table says the numbers.
 */
export default function Drawn({ label, kind, labels, series, say, to }: PlotProps): ReactNode {
  const go = useGo();
  const place = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const measure = (): void => setWidth(Math.max(240, Math.round(current.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const short = numberFormat(useLocale(), { notation: 'compact' });
  const numbers = series.map(({ values }) =>
    values.map((value) => (typeof value === 'number' ? value : roughly(value))),
  );
  const all = numbers.flat();
  const scale = scaleLinear()
    .domain([Math.min(0, ...all), Math.max(1, ...all)])
    .nice(4);
  // Of what is counted there are no parts.
  const counted = series.every(({ values }) => values.every((value) => typeof value === 'number'));
  const ticks = scale
    .ticks(4)
    .filter((value) => !counted || Number.isInteger(value))
    .map((value) => ({ value, said: short.format(value) }));
  const room = width - 24 - letter * Math.max(...ticks.map(({ said }) => said.length));
  const wide = (lines: readonly (readonly string[])[]): number =>
    letter * (2 + Math.max(...lines.flat().map((one) => one.length)));
  // Names are broken before one of them is left out; a row of days or months is read with every other one.
  const whole = labels.map((one) => [one]);
  const broken = labels.map(inTwo);
  const named = labels.length <= 8 && wide(whole) * labels.length > room;
  const lines = named ? broken : whole;
  const edge = {
    top: 12,
    right: 8,
    bottom: named ? 44 : 28,
    left: 16 + letter * Math.max(...ticks.map(({ said }) => said.length)),
  };
  const y = scale.range([height - edge.bottom, edge.top]);
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
  const every = Math.ceil(labels.length / Math.max(1, Math.floor(room / wide(lines))));
  return (
    <svg ref={place} viewBox={`0 0 ${width} ${height}`} className={styles['plot']} role="img" aria-label={label}>
      {ticks.map(({ value: tick, said }) => (
        <g key={tick}>
          <line
            x1={edge.left}
            x2={width - edge.right}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? styles['zero'] : styles['grid']}
          />
          <text x={edge.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {said}
          </text>
        </g>
      ))}
      {labels.map((one, at) =>
        at % every === 0 ? (
          <text key={one} x={middle(at)} y={height - edge.bottom + 20} textAnchor="middle">
            {(lines[at] ?? []).map((part, row) => (
              <tspan key={part} x={middle(at)} dy={row === 0 ? 0 : '1.2em'}>
                {part}
              </tspan>
            ))}
          </text>
        ) : null,
      )}
      {kind === 'lines'
        ? numbers.map((values, row) => (
            <path key={series[row]?.name} d={path([...values]) ?? ''} data-series={row} className={styles['line']} />
          ))
        : null}
      {labels.map((one, at) => (
        <g
          key={one}
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
            ? numbers.map((values, row) => (
                <rect
                  key={series[row]?.name}
                  x={(x(at) ?? 0) + row * part}
                  width={Math.max(1, part - 1)}
                  y={Math.min(y(values[at] ?? 0), y(0))}
                  height={Math.abs(y(values[at] ?? 0) - y(0))}
                  rx={1.5}
                  data-series={row}
                  className={styles['bar']}
                />
              ))
            : numbers.map((values, row) => (
                <circle
                  key={series[row]?.name}
                  cx={middle(at)}
                  cy={y(values[at] ?? 0)}
                  r={2.5}
                  data-series={row}
                  className={styles['bar']}
                />
              ))}
          <title>{[one, ...series.map(({ name: of, values }) => `${of}: ${say(values[at] ?? 0)}`)].join('\n')}</title>
        </g>
      ))}
    </svg>
  );
}
