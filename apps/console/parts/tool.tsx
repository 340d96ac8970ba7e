import type { ReactNode } from 'react';
import { Said } from './said.tsx';
import { useToolTitle } from './tool-title.ts';

/** A tool by its title; programs call it by the name in its tooltip. */
export function Tool({ name }: { readonly name: string | undefined }): ReactNode {
  const titleOf = useToolTitle();
  if (name === undefined) return null;
  return (
    <span title={name}>
      <Said>{titleOf(name)}</Said>
    </span>
  );
}
