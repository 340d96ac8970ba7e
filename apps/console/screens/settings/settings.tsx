import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';

export default function Settings(): ReactNode {
  const words = useWords().shell;
  return <Page title={words.settings}>{null}</Page>;
}
