import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';

export default function Home(): ReactNode {
  const words = useWords().shell;
  return <Page title={words.home}>{null}</Page>;
}
