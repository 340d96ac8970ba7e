import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { Field } from './form.tsx';
import { Said } from './said.tsx';

/** Who sells or buys, as an invoice prints it. */
interface Who {
  readonly name?: string | null;
  readonly address: string | null;
  readonly vatNumber: string | null;
  readonly registration?: string | null;
}

/** A line below the other, as it is printed; undefined where there is nothing. */
export function usePrinted(): (who: Who | null) => ReactNode {
  const words = useWords().parts;
  return (who) => {
    const lines = [
      who?.name,
      ...(who?.address?.split('\n') ?? []),
      who?.vatNumber === null || who?.vatNumber === undefined ? null : words.vatNo(who.vatNumber),
      who?.registration,
    ].filter((line) => line !== null && line !== undefined);
    return lines.length === 0 ? undefined : <Said>{lines.join('\n')}</Said>;
  };
}

/** What is typed of whoever sells or buys. */
export function PrintedFields({ of }: { readonly of: Who }): ReactNode {
  const words = useWords().parts;
  return (
    <>
      <Field
        label={words.address}
        name="address"
        kind="area"
        optional
        value={of.address ?? ''}
        hint={words.addressHint}
      />
      <Field label={words.vatNumber} name="vatNumber" optional value={of.vatNumber ?? ''} />
    </>
  );
}
