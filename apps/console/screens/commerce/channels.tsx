import { useState, type ReactNode } from 'react';
import { useMay } from '../../data/organization.ts';
import { useApi, usePages, type Paged } from '../../data/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';
import { OneChannel } from './channel.tsx';
import { Connect, ConnectGranted, useGranted } from './channel-connect.tsx';
import { isUnderWay, type Channel } from './channel-types.ts';
import styles from './commerce.module.css';
import { CommerceTabs } from './parts.tsx';

interface Marketplace {
  readonly provider: string;
  /** Where a browser installs the app in a shop. */
  readonly installUrl: string;
}

/** Shops at marketplaces: how each does, and what of it needs a person. */
export default function Channels(): ReactNode {
  const words = useWords().selling.channels;
  const connects = useMay('owner', 'admin');
  const channels = usePages<Channel>('commerce', '/api/channels', {}, isUnderWay);
  const marketplaces = useApi<Paged<Marketplace>>('commerce', '/api/marketplaces');
  const [asked, setAsked] = useState<{ readonly shop: string }>();
  const [granted, forget] = useGranted();
  const install = marketplaces.data?.items[0]?.installUrl;
  const offered = connects && install !== undefined;
  const known = channels.data?.pages.flatMap(({ items }) => items) ?? [];
  const connect = (
    <Button kind="first" onClick={() => setAsked({ shop: '' })}>
      {words.connect}
    </Button>
  );
  return (
    <Page
      title={words.title}
      lead={words.lead}
      bar={<CommerceTabs />}
      actions={offered && known.length > 0 ? connect : undefined}
    >
      {asked === undefined || install === undefined ? null : (
        <Connect install={install} shop={asked.shop} onClose={() => setAsked(undefined)} />
      )}
      {granted === undefined || !connects || channels.data === undefined ? null : (
        <ConnectGranted {...granted} before={known.find(({ shop }) => shop === granted.shop)} onClose={forget} />
      )}
      <Loaded query={marketplaces} lines={1}>
        {({ items }) =>
          items.length > 0 ? null : (
            <Empty title={words.notSetUp}>
              <p>
                {words.notSetUpLead} <code>docs/guides/marketplace.md</code>
              </p>
            </Empty>
          )
        }
      </Loaded>
      <CursorList
        pages={channels}
        empty={
          install === undefined ? null : (
            <Empty title={words.none} {...(offered ? { action: connect } : {})}>
              {words.noneLead}
            </Empty>
          )
        }
      >
        {(items) => (
          <div className={styles['stack']}>
            {items.map((one) => (
              <OneChannel
                key={one.id}
                of={one}
                mayChange={connects}
                {...(offered ? { onConnect: () => setAsked({ shop: one.shop }) } : {})}
              />
            ))}
          </div>
        )}
      </CursorList>
    </Page>
  );
}
