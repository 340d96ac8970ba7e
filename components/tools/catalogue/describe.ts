import type { Tool } from './tool.ts';
import { addressOf, inView, views, type Placed } from './view.ts';

/** Says where a tool's text finds the other tools that it names. @throws TypeError for a name that no tool has */
export type Refer = (text: string, tool: Placed) => string;

/**
 * Models act on words: a tool that a text names is callable at every address that lists the text, or the text says at which
 * it is.
 */
export function referring(all: readonly Placed[]): Refer {
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  return (text, tool) =>
    text.replace(/service_[a-z0-9_]*[a-z0-9]/g, (name) => {
      const named = byName.get(name);
      if (named === undefined) throw new TypeError(`${tool.name} names ${name}, and there is no such tool`);
      const beside = views.every((view) => !inView(tool, view) || inView(named, view));
      if (named.kind === 'bootstrap' && !beside) return `${name} (at the endpoint itself)`;
      return beside ? name : `${name} (at ${addressOf({ ...named, core: false })})`;
    });
}

/** What a tool does, and that it waits for people where it always does. */
export const descriptionOf = ({ description, tier }: Pick<Tool, 'description' | 'tier'>): string =>
  tier === 'approval'
    ? `${description} Needs a person’s approval: nothing happens before it is approved.`
    : description;
