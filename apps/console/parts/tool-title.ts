import { sentence } from '../data/activity.ts';
import { useWords } from '../words/language.ts';

/**
 * How a tool is called in the language of the reader: a command by its title, what has none by its name, `service_refund_order` as `Refund order`.
 * @returns of a tool its title; `otherwise` is the server's own, in English
 */
export function useToolTitle(): (tool: string, otherwise?: string) => string {
  const titles: Readonly<Record<string, string>> = useWords().tools;
  return (tool, otherwise) => {
    const own = Object.hasOwn(titles, tool) ? titles[tool] : undefined;
    return own ?? otherwise ?? sentence(tool.replace(/^service_/, ''));
  };
}

/** The names of all commands. */
export const useCommands = (): readonly string[] => Object.keys(useWords().tools);
