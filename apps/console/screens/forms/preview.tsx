import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { StorefrontFormElement } from '@steward/storefront';
import { Failure } from '../../parts/failure.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { useLanguage, useWords, type Language } from '../../words/language.ts';
import styles from './preview.module.css';
import type { Drawn } from './types.ts';

/** No host has this name (RFC 6761): what is asked there is answered here, from the draft, and reaches no network. */
const base = 'https://preview.invalid';
const drafts = new Map<string, object>();
let answering = false;

/** The element looks fetch up late so that a page may wrap it (packages/storefront): this page does, for its previews alone. */
function answerPreviews(): void {
  if (answering) return;
  answering = true;
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(`${base}/`)) return send(input, init);
    const draft = drafts.get(/\/forms\/([^/]+)\/schema$/.exec(url)?.[1] ?? '');
    return draft === undefined ? new Response('{}', { status: 404 }) : Response.json(draft);
  };
}

const texts: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: object }>>> = {
  de: async () => import('@steward/storefront/storefront.de.json'),
  es: async () => import('@steward/storefront/storefront.es.json'),
  ja: async () => import('@steward/storefront/storefront.ja.json'),
};

/** The element that visitors see, with the words of the reader's language. */
async function load(language: Language): Promise<void> {
  const { catalogues } = await import('@steward/storefront');
  if (language !== 'en') catalogues[language] ??= (await texts[language]()).default as (typeof catalogues)['en'];
}

let drawings = 0;

/** The very element of pages, drawn from a draft: what is filled in is checked as on a page, and nothing is sent. */
export default function Preview({ of }: { readonly of: Drawn }): ReactNode {
  const words = useWords().forms;
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const element = useRef<StorefrontFormElement>(undefined);
  const [sent, setSent] = useState<string>();
  const [failed, setFailed] = useState<Error>();
  const drawn = JSON.stringify({ fields: of.fields, validationRules: of.validationRules });
  useEffect(() => {
    const ending = new AbortController();
    answerPreviews();
    const draw = async (): Promise<void> => {
      await load(language);
      if (ending.signal.aborted || frame.current === null) return;
      const id = `draft-${(drawings += 1)}`;
      drafts.clear();
      drafts.set(id, { ...(JSON.parse(drawn) as Drawn), formId: id, siteId: id, name: id, activeVersion: 1 });
      if (element.current === undefined) {
        element.current = document.createElement('storefront-form');
        element.current.setAttribute('locale', language);
        element.current.setAttribute('sdk-key', 'preview');
        element.current.setAttribute('base-url', base);
        element.current.addEventListener('storefront-submit', (event) => {
          event.preventDefault();
          setSent(JSON.stringify(event.detail.data, undefined, 2));
        });
        frame.current.append(element.current);
      }
      element.current.setAttribute('form-id', id);
      setSent(undefined);
    };
    draw().catch((error: unknown) => setFailed(error instanceof Error ? error : new Error(String(error))));
    return () => ending.abort();
  }, [drawn, language]);
  return (
    <div className={styles['preview']}>
      <div ref={frame} />
      <Failure error={failed} />
      {sent === undefined ? null : (
        <div role="status">
          <p className={styles['soft']}>{words.nothingSent}</p>
          <Snippet text={sent} label={words.wouldSend} />
        </div>
      )}
    </div>
  );
}
