import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, addressOf } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/form.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { type Head, isSealed, type LogEvent } from './event.ts';
import { Json } from './json.tsx';
import { judge, type Told } from './judge.ts';
import { usePinned } from './pinned.ts';
import { readKey } from './signed.ts';

/** The key that was pinned in this browser, and the way to pin one. */
export function Pinned({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (key: string | undefined) => void;
}): ReactNode {
  const words = useWords().activity;
  const [text, setText] = useState('');
  const [error, setError] = useState<Error>();
  const pin = async (): Promise<void> => {
    try {
      const { line } = await readKey(text.trim());
      setError(undefined);
      onChange(line);
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
  if (value !== undefined)
    return (
      <div className={styles['buttons']}>
        <span>
          {words.pinned} <code>{value}</code>
        </span>
        <Button onClick={() => onChange(undefined)}>{words.unpin}</Button>
      </div>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void pin();
      }}
    >
      <Field name="key" label={words.key} hint={words.keyHint} value={text} onChange={setText} />
      <Failure error={error} />
      <p>
        <Button type="submit" disabled={text.trim() === ''}>
          {words.pin}
        </Button>
      </p>
    </form>
  );
}

export function Judged({ told: { is, verdict } }: { readonly told: Told }): ReactNode {
  const words = useWords().activity;
  const { computed, proof, rows } = verdict;
  return (
    <div role="status" className={styles['verdict']} data-is={is}>
      <h3>{words.verdicts[is]}</h3>
      <p>{words.verdictHints[is]}</p>
      {rows === undefined ? null : <p>{words.rows(rows.count, rows.first, rows.last, rows.holes)}</p>}
      {verdict.ok ? null : (
        <p>
          <strong>{words.kinds[verdict.kind]}</strong> <Said>{verdict.detail}</Said>
        </p>
      )}
      <Facts of={computed.map(({ step, value }) => [words.steps[step], <code key={step}>{value}</code>] as const)} />
      {proof === undefined || !verdict.ok ? null : (
        <details className={styles['details']}>
          <summary>{words.whatIsSigned(proof.day, proof.sequence)}</summary>
          <Json text={JSON.stringify(JSON.parse(proof.event), null, 2)} />
        </details>
      )}
    </div>
  );
}

const pathOf = (id: string, what: 'proof' | 'receipt'): string => `/api/audit/events/${encodeURIComponent(id)}/${what}`;

/** The proof of an event; its receipt while its day is not sealed. @throws Problem */
export async function proofOf(tenant: string, id: string, signal?: AbortSignal): Promise<string> {
  const read = async <Answer,>(path: string): Promise<Answer> => api<Answer>('accounting', path, { tenant, signal });
  const [event, head] = await Promise.all([
    read<LogEvent>(`/api/audit/events/${encodeURIComponent(id)}`),
    read<Head>('/api/audit/chain'),
  ]);
  return JSON.stringify(await read(pathOf(id, isSealed(event, head.sealed_through) ? 'proof' : 'receipt')));
}

/** Recomputes the proof of an event in this page, or its receipt while its day is not sealed. */
export function VerifyEvent({ id, sealed }: { readonly id: string; readonly sealed: boolean }): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const [pinned, pin] = usePinned();
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey: [tenant, 'verified', id, pinned],
    enabled: asked,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const proof = await proofOf(tenant, id, signal);
      return judge(proof, pinned, { tenant, id });
    },
  });
  return (
    <Section title={words.verify}>
      <p>{words.verifyLead}</p>
      <Pinned value={pinned} onChange={pin} />
      <div className={styles['buttons']}>
        <Button kind="first" busy={query.isFetching} onClick={() => (asked ? void query.refetch() : setAsked(true))}>
          {words.verifyNow}
        </Button>
        <a
          href={addressOf('accounting', pathOf(id, sealed ? 'proof' : 'receipt'), { tenant })}
          download={`${sealed ? 'proof' : 'receipt'}-${id}.json`}
        >
          {sealed ? words.download : words.downloadReceipt}
        </a>
      </div>
      <Failure error={query.error} />
      {query.data === undefined || query.isFetching ? null : <Judged told={query.data} />}
      <p className={styles['quiet']}>
        {words.fromHere} <Go to="/activity/verify">{words.aloneWay}</Go>
      </p>
    </Section>
  );
}
