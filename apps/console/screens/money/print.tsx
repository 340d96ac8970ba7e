import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { useWords } from '../../words/language.ts';

/** What is printed is the page without its chrome (print styles): a browser makes a PDF of it too. */
export function Print(): ReactNode {
  const words = useWords().money;
  return <Button onClick={() => window.print()}>{words.print}</Button>;
}
