import { useState, type ReactNode } from 'react';
import { addressOf, api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Snippet } from '../../parts/copy.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { judgeFiles, type Asked, type Told } from './judge.ts';
import { usePinned } from './pinned.ts';
import { Judged, Pinned, proofOf } from './verifying.tsx';

/** Of one file: what is larger is for the verifier that stands alone, which reads as it goes. */
const mostBytes = 256 << 20;

const asked = (tenant: string): Asked => ({
  proofOf: async (id) => proofOf(tenant, id),
  notes: async () => (await api<Keys>('accounting', '/api/audit/keys')).items.map(({ note }) => note),
});

/** A proof, an export or a day that somebody has, checked in this page; and how to check without it. */
export default function Verify(): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const [pinned, pin] = usePinned();
  const [told, setTold] = useState<Told>();
  const [looking, setLooking] = useState(false);
  const [error, setError] = useState<Error>();
  const look = async (files: readonly File[]): Promise<void> => {
    setTold(undefined);
    setError(undefined);
    setLooking(true);
    try {
      if (files.some(({ size }) => size > mostBytes)) throw new Error(words.tooLarge);
      const named = await Promise.all(
        files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
      );
      setTold(await judgeFiles(named, pinned, { tenant }, asked(tenant)));
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
    } finally {
      setLooking(false);
    }
  };
  return (
    <Page title={words.verifyTitle} lead={words.verifyLead} actions={<Go to="/activity">{words.back}</Go>}>
      <Section title={words.keyTitle}>
        <Pinned
          value={pinned}
          onChange={(key) => {
            pin(key);
            setTold(undefined);
          }}
        />
        <Named />
      </Section>
      <Section title={words.fileTitle}>
        <p className={styles['quiet']}>{words.fileHint}</p>
        <label className={styles['buttons']}>
          {words.file}
          <FileInput
            multiple
            accept=".json,.jsonl,.checkpoint,application/json"
            onChoose={(files) => void look(files)}
          />
        </label>
        {looking ? <p role="status">{words.looking}</p> : null}
        <Failure error={error} />
        {told === undefined ? null : <Judged told={told} />}
      </Section>
      <Section title={words.aloneTitle}>
        <p>{words.fromHere}</p>
        <p>
          <a href={addressOf('accounting', '/api/audit/verifier')} download="steward-audit-verify.mjs">
            {words.aloneFile}
          </a>
        </p>
        <Snippet
          label={words.aloneTitle}
          text={`node steward-audit-verify.mjs --proof proof.json --key '${pinned ?? 'steward/audit+…'}'\nnode steward-audit-verify.mjs --export export.jsonl`}
        />
      </Section>
    </Page>
  );
}

interface Keys {
  readonly items: readonly { readonly verifier_key: string; readonly note: string }[];
}

/** What this server says that its keys are: to be compared with what the reader has from elsewhere. */
function Named(): ReactNode {
  const words = useWords().activity;
  const query = useApi<Keys>('accounting', '/api/audit/keys');
  return (
    <details className={styles['details']}>
      <summary>{words.serverKeys}</summary>
      <p className={styles['quiet']}>{words.serverKeysHint}</p>
      <Loaded query={query}>
        {({ items }) => items.map(({ verifier_key: line }) => <Snippet key={line} text={line} label={words.key} />)}
      </Loaded>
    </details>
  );
}
