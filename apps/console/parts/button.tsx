import type { ButtonHTMLAttributes, KeyboardEvent, ReactNode } from 'react';
import { Go, type To } from '../shell/go.tsx';
import styles from './button.module.css';

type Kind = 'first' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `first`: the one thing to do here. `danger`: it takes something away. */
  readonly kind?: Kind;
  /** It was pressed and is not answered: pressing again does nothing. */
  readonly busy?: boolean;
}

export function Button({
  kind = 'quiet',
  busy = false,
  type = 'button',
  className,
  disabled,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={[styles['button'], styles[kind], className].filter(Boolean).join(' ')}
    />
  );
}

/** Several in a row, which are not pressed by mistake for each other. */
export const Buttons = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles['buttons']}>{children}</div>
);

/** A link that looks like what it is for. */
export function ButtonLink({
  kind = 'quiet',
  to,
  children,
}: {
  readonly kind?: Kind;
  readonly to: To;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Go to={to} className={`${styles['button']} ${styles[kind]}`}>
      {children}
    </Go>
  );
}

/** A key that is held down must not decide about what comes next. */
export const noRepeat = (event: KeyboardEvent): void => {
  if (event.repeat) event.preventDefault();
};
