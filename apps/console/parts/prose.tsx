import { type Content, elementsOf } from '@steward/markdown';
import { createElement, Fragment, type ReactNode } from 'react';
import styles from './prose.module.css';
import { Said } from './said.tsx';

/** What an agent or a stranger wrote in Markdown, as its readers see it. Links lead nowhere from here: their addresses stand beside them. */
export const Prose = ({ children }: { readonly children: string }): ReactNode =>
  children.trim() === '' ? <Said>{''}</Said> : <div className={styles['prose']}>{drawn(elementsOf(children, 2))}</div>;

const drawn = (content: readonly Content[]): ReactNode[] =>
  content.map((one, at) => {
    if (typeof one === 'string') return one === '' ? null : <Said key={at}>{one}</Said>;
    if (one.tag === 'br') return <br key={at} />;
    if (one.tag !== 'a') return createElement(one.tag, { key: at }, ...drawn(one.content));
    return (
      <Fragment key={at}>
        {drawn(one.content)} (<Said>{one.href}</Said>)
      </Fragment>
    );
  });
