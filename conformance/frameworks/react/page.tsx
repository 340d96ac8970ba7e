import { StrictMode, useState, type HTMLAttributes, type RefAttributes } from 'react';
import { createRoot } from 'react-dom/client';
import type { StorefrontFormElement, Submission } from '@steward/storefront';

interface StorefrontFormProps extends HTMLAttributes<StorefrontFormElement>, RefAttributes<StorefrontFormElement> {
  'form-id': string;
  'sdk-key': string;
  'base-url'?: string;
  'submit-label'?: string | undefined;
  locale?: string | undefined;
  messages?: StorefrontFormElement['messages'] | undefined;
  data?: StorefrontFormElement['data'] | undefined;
  'onstorefront-ready'?: (event: CustomEvent) => void;
  'onstorefront-submit'?: (event: CustomEvent<{ formId: string; data: Record<string, unknown> }>) => void;
  'onstorefront-success'?: (event: CustomEvent<Submission>) => void;
  'onstorefront-error'?: (event: CustomEvent<Error>) => void;
}
declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React names its elements in one
  namespace JSX {
    interface IntrinsicElements {
      'storefront-form': StorefrontFormProps;
    }
  }
}

const asked = new URLSearchParams(location.search);
const of = (name: string): string => asked.get(name) ?? '';

function Page() {
  const [times, setTimes] = useState(0);
  const [german, setGerman] = useState(false);
  const [violet, setViolet] = useState(false);
  const [ordering, setOrdering] = useState(false);
  const [away, setAway] = useState(false);
  const [log, setLog] = useState<string[]>([]);
  const tell = (line: string): void => setLog((lines) => [...lines, line]);
  return (
    <main>
      <button onClick={() => setTimes(times + 1)}>Again: {times}</button>
      <button onClick={() => setGerman(!german)}>Language</button>
      <button onClick={() => setViolet(!violet)}>Theme</button>
      <button onClick={() => setOrdering(!ordering)}>Words</button>
      <button onClick={() => setAway(!away)}>Presence</button>
      {!away && (
        <storefront-form
          form-id={of('form')}
          sdk-key={of('key')}
          base-url={of('base')}
          className="contact"
          style={violet ? ({ '--storefront-accent': 'rgb(90, 0, 180)' } as Record<string, string>) : undefined}
          locale={german ? 'de' : undefined}
          messages={ordering ? { submit: 'Order' } : undefined}
          data={{ topic: 'Repairs', source: 'page' }}
          onstorefront-ready={() => tell('ready')}
          onstorefront-submit={({ detail }) => {
            detail.data['campaign'] = 'autumn';
            tell(`submit ${detail.formId}`);
          }}
          onstorefront-success={({ detail }) => tell(`success ${detail.submissionId}`)}
        >
          <p slot="success">Thanks from the page, {times}.</p>
        </storefront-form>
      )}
      <ol>
        {log.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ol>
    </main>
  );
}

createRoot(document.body).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
