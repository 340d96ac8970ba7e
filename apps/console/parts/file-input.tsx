import type { ReactNode } from 'react';

/**
 * Hands on the files that are chosen and keeps none: where a file was mended and is chosen again under its name, a browser
 * tells of it only if the input was emptied.
 */
export function FileInput({
  onChoose,
  ...asked
}: {
  readonly onChoose: (files: readonly File[]) => void;
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly disabled?: boolean;
}): ReactNode {
  return (
    <input
      {...asked}
      type="file"
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = '';
        if (files.length > 0) onChoose(files);
      }}
    />
  );
}
