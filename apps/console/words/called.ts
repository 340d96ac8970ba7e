import { dictionary } from '@steward/kernel/dictionary';
import { labelling } from '../screens/approvals/labels.ts';
import type { Words } from './words.ts';

type Of = Pick<Words, 'labels' | 'tools'>;

/** Read where they are first asked for: English names are words already. */
const read = dictionary<() => Promise<Of>>({
  de: async () => ({ ...(await import('./de/labels.ts')), ...(await import('./de/tools.ts')) }),
  es: async () => ({ ...(await import('./es/labels.ts')), ...(await import('./es/tools.ts')) }),
  ja: async () => ({ ...(await import('./ja/labels.ts')), ...(await import('./ja/tools.ts')) }),
});

/** What the pages call commands, nouns and members of arguments, for letters that lead there. A name that has no words is as it is. */
export async function calledIn(language: string): Promise<{
  readonly command: (name: string) => string | undefined;
  readonly thing: (name: string) => string;
}> {
  const words = await read[language]?.();
  if (words === undefined) return { command: () => undefined, thing: (name) => name };
  const { label } = labelling(words.labels);
  const titles: Readonly<Record<string, string>> = words.tools;
  return {
    command: (name) => (Object.hasOwn(titles, name) ? titles[name] : undefined),
    thing: (name) => words.labels[name] ?? label(name, null, new Map()),
  };
}
