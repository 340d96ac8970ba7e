import type { Deps } from '../deps.ts';

/** What is wrong with a name that is no command's. */
export const noCommand = (name: string, { toolNames }: Pick<Deps, 'toolNames'>): string =>
  toolNames.has(name)
    ? 'This tool only reads, so it needs no approval: name a command, or leave it out.'
    : 'There is no such command: take a name of the list of tools.';
