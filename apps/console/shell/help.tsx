import type { ReactNode } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Check } from '../parts/form.tsx';
import { Key } from '../parts/key.tsx';
import { useWords } from '../words/language.ts';
import styles from './help.module.css';
import { useKeys, useSingleKeys } from './keys.ts';

/** `?`: the keys that act on this page. */
export default function Help({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().shell;
  const keys = useKeys();
  const [on, setOn] = useSingleKeys();
  return (
    <Dialog title={words.keys} onClose={onClose}>
      <dl className={styles['keys']}>
        {[{ keys: 'Mod K', label: words.keyPalette }, ...keys].map((one) => (
          <div key={one.keys}>
            <dt>{one.label}</dt>
            <dd>
              <Key keys={one.keys} />
            </dd>
          </div>
        ))}
      </dl>
      <Check label={words.keysOn} name="keys" value={on} onChange={setOn} />
    </Dialog>
  );
}
