import { type Area, areas, type Pillar, pillars } from '@steward/access';
import { type Tool } from './tool.ts';

/** What an address lists: the core of all pillars, one of them, or an area of it. */
export type View = 'core' | Pillar | `${Pillar}/${Area}`;

/** Views with an address below the endpoint, `/p/{view}`. */
export const narrowed: readonly Exclude<View, 'core'>[] = pillars.flatMap((pillar) => [
  pillar,
  ...areas[pillar].map((area) => `${pillar}/${area}` as const),
]);

export const views: readonly View[] = ['core', ...narrowed];

/** As much of a tool as decides where it is listed. */
export type Placed = Pick<Tool, 'name' | 'pillar' | 'area' | 'rare' | 'kind' | 'core' | 'everywhere'>;

/** An address below the endpoint that lists the tool, and other tools like it. */
export const addressOf = ({ core, kind, pillar, area, rare }: Placed): string =>
  core || kind === 'bootstrap' ? '' : `/p/${pillar}${rare === true && area !== undefined ? `/${area}` : ''}`;

export function inView({ core, kind, pillar, area, rare, everywhere }: Placed, view: View): boolean {
  if (view === 'core') return core || kind === 'bootstrap';
  if (everywhere === true) return true;
  return view === pillar ? rare !== true : area !== undefined && view === `${pillar}/${area}`;
}
