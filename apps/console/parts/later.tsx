import { lazy, type ComponentType } from 'react';
import { outdated } from '../data/version.ts';
import { Outdated } from './outdated.tsx';

/** A part that is loaded when it is shown. Where it cannot be, nothing around it breaks: it offers to load the page again. */
export const later = <Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  lazy(async () => orOutdated(load));

/** What was asked for, or the offer in its place. */
export async function orOutdated<Loaded>(
  load: () => Promise<Loaded>,
): Promise<Loaded | { readonly default: typeof Outdated }> {
  try {
    return await load();
  } catch {
    outdated();
    return { default: Outdated };
  }
}
