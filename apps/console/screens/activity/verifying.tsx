import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, addressOf } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { Problem } from '../../data/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/form.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { Json } from './json.tsx';
import { judge, type Told } from './judge.ts';
import { pinKey, pinnedKey } from './pinned.ts';
import { readKey } from './proof.ts';

/** The key that was pinned in this browser, and the way to pin one. */
export function Pinned({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (key: string | undefined) => void;
}): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const [text, setText] = useState('');
  const [error, setError] = useState<Error>();
  const pin = async (): Promise<void> => {
    try {
      const { line } = await readKey(text.trim());
      pinKey(tenant, line);
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
        <Button
          onClick={() => {
            pinKey(tenant, undefined);
            onChange(undefined);
          }}
        >
          {words.unpin}
        </Button>
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
  const { computed, proof } = verdict;
  return (
    <div role="status" className={styles['verdict']} data-is={is}>
      <h3>{words.verdicts[is]}</h3>
      <p>{words.verdictHints[is]}</p>
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

/** Recomputes the proof of an event in this page. */
export function VerifyEvent({ id }: { readonly id: string }): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const [pinned, setPinned] = useState(() => pinnedKey(tenant));
  const [asked, setAsked] = useState(false);
  const path = `/api/audit/events/${encodeURIComponent(id)}/proof`;
  const query = useQuery({
    queryKey: [tenant, 'verified', id, pinned],
    enabled: asked,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const proof = await api<unknown>('accounting', path, { tenant, signal });
      return judge(JSON.stringify(proof), pinned, { tenant, id });
    },
  });
  const notSealed = query.error instanceof Problem && query.error.code === 'not_sealed';
  return (
    <Section title={words.verify}>
      <p>{words.verifyLead}</p>
      <Pinned value={pinned} onChange={setPinned} />
      <div className={styles['buttons']}>
        <Button kind="first" busy={query.isFetching} onClick={() => (asked ? void query.refetch() : setAsked(true))}>
          {words.verifyNow}
        </Button>
        <a href={addressOf('accounting', path, { tenant })} download={`proof-${id}.json`}>
          {words.download}
        </a>
      </div>
      {query.error === null ? null : notSealed ? (
        <div role="status" className={styles['verdict']}>
          <h3>{words.notSealed}</h3>
          <p>
            <Said>{(query.error as Problem).detail}</Said>
          </p>
        </div>
      ) : (
        <Failure error={query.error} />
      )}
      {query.data === undefined || query.isFetching ? null : <Judged told={query.data} />}
      <p className={styles['quiet']}>
        {words.fromHere} <Go to="/activity/verify">{words.aloneWay}</Go>
      </p>
    </Section>
  );
}
