import { useState, type ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { Snippet } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Go } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import styles from './activity.module.css';
import { judge, type Told } from './judge.ts';
import { pinnedKey } from './pinned.ts';
import { Judged, Pinned } from './verifying.tsx';

/** A proof that somebody has, checked in this page; and how to check without it. */
export default function Verify(): ReactNode {
  const words = useWords().activity;
  const tenant = useTenant();
  const [pinned, setPinned] = useState(() => pinnedKey(tenant));
  const [told, setTold] = useState<Told>();
  return (
    <Page title={words.verifyTitle} lead={words.verifyLead} actions={<Go to="/activity">{words.back}</Go>}>
      <Section title={words.keyTitle}>
        <Pinned
          value={pinned}
          onChange={(key) => {
            setPinned(key);
            setTold(undefined);
          }}
        />
        <Named />
      </Section>
      <Section title={words.fileTitle}>
        <label className={styles['buttons']}>
          {words.file}
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined)
                void file.text().then(async (text) => setTold(await judge(text, pinned, { tenant })));
            }}
          />
        </label>
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
          text={`node steward-audit-verify.mjs --proof proof.json --key '${pinned ?? 'steward/audit+…'}'`}
        />
      </Section>
    </Page>
  );
}

interface Keys {
  readonly items: readonly { readonly verifier_key: string }[];
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
