import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useEvents } from '../data/events.ts';
import { useOrganization, useTenant } from '../data/organization.ts';
import { organizationsQuery, useSession } from '../data/session.ts';
import { mostToDecide, useOwnToDecide } from '../data/to-decide.ts';
import { useOutdated } from '../data/version.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { Key } from '../parts/key.tsx';
import { later } from '../parts/later.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Reload } from '../parts/outdated.tsx';
import { Said } from '../parts/said.tsx';
import { screens } from '../screens/routes.ts';
import { useWords } from '../words/language.ts';
import { Account } from './account.tsx';
import { Go, useGo } from './go.tsx';
import { useKey } from './keys.ts';
import Palette from './palette.tsx';
import { inspectPresent, useInspected } from './record.ts';
import { sections, type SectionOfPages } from './sections.ts';
import styles from './shell.module.css';
import { Waits } from './waits.tsx';

const Help = later(async () => import('./help.tsx'));
const Inspector = later(async () => import('./inspector.tsx'));

const present = sections.filter(({ to }) => screens.some(({ path }) => path === to));

/** What stands around every screen of an organization. */
export function Shell(): ReactNode {
  const words = useWords().shell;
  const tenant = useTenant();
  const organizations = useQuery(organizationsQuery);
  return (
    <Loaded query={organizations}>
      {(items) =>
        items.some(({ id }) => id === tenant) ? (
          <Within key={tenant} />
        ) : (
          <main className={styles['main']}>
            <Empty title={words.noOrganization} action={<a href="/">{words.goHome}</a>}>
              {words.noOrganizationHint}
            </Empty>
          </main>
        )
      }
    </Loaded>
  );
}

type Open = 'palette' | 'help' | 'more' | undefined;

function Within(): ReactNode {
  const words = useWords().shell;
  const [open, setOpen] = useState<Open>();
  const inspected = useInspected();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useEvents(useTenant());
  useKey('?', words.keyHelp, () => setOpen('help'));
  useKey('/', words.keyPalette, () => setOpen('palette'));
  useKey('i', words.keyInspect, inspectPresent);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen('palette');
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
  const first = useRef(pathname);
  useEffect(() => {
    setOpen(undefined);
    // Who hears the page is told that it is another one.
    if (first.current !== pathname) main.current?.querySelector('h1')?.focus({ preventScroll: true });
    first.current = pathname;
  }, [pathname]);
  // Only itself: another one may be open by the time that a browser tells of it.
  const closing = (one: Open) => (): void => setOpen((now) => (now === one ? undefined : now));
  return (
    <div className={styles['shell']} data-inspecting={inspected !== undefined}>
      <a href="#content" className={styles['skip']}>
        {words.skip}
      </a>
      {present.map((section) => (
        <Goes key={section.name} {...section} />
      ))}
      <Rail onSearch={() => setOpen('palette')} onHelp={() => setOpen('help')} />
      <main id="content" ref={main} className={styles['main']} tabIndex={-1}>
        <NewVersion />
        <Waits />
        <Outlet />
      </main>
      <Suspense>{inspected === undefined ? null : <Inspector record={inspected} />}</Suspense>
      <Bar
        onMore={() => setOpen(open === 'more' ? undefined : 'more')}
        more={open === 'more'}
        onSearch={() => setOpen('palette')}
      />
      <Suspense>
        {open === 'palette' ? <Palette pages={present} onClose={closing('palette')} /> : null}
        {open === 'help' ? <Help onClose={closing('help')} /> : null}
      </Suspense>
    </div>
  );
}

/** `g a` and the like. */
function Goes({ name, to, letter }: Pick<SectionOfPages, 'name' | 'to' | 'letter'>): ReactNode {
  const words = useWords().shell;
  const go = useGo();
  useKey(`g ${letter}`, words.keyGo(words[name]), () => go(to));
  return null;
}

function NewVersion(): ReactNode {
  const words = useWords().parts;
  return (
    <div role="status" className={styles['new']}>
      {useOutdated() ? (
        <div>
          <p>
            {words.outdated} {words.outdatedHint}
          </p>
          <Reload />
        </div>
      ) : null}
    </div>
  );
}

const Icon = ({ d }: { readonly d: string }): ReactNode => (
  <svg viewBox="0 0 20 20" className={styles['icon']} aria-hidden="true">
    <path d={d} />
  </svg>
);

/** How many actions wait for a person. */
function Count({ className }: { readonly className: string | undefined }): ReactNode {
  const words = useWords().shell;
  const count = useOwnToDecide().length;
  if (count === 0) return null;
  return (
    <span className={className}>
      <Badge tone="waits">
        <span aria-hidden="true">{count < mostToDecide ? count : `${count}+`}</span>
        <span className={styles['unseen']}>{words.toDecide(count)}</span>
      </Badge>
    </span>
  );
}

function Rail({ onSearch, onHelp }: { readonly onSearch: () => void; readonly onHelp: () => void }): ReactNode {
  const words = useWords().shell;
  const { name } = useOrganization();
  const { production } = useSession();
  return (
    <header className={styles['rail']}>
      <div className={styles['organization']}>
        <Said>{name}</Said>
        {production ? null : <Badge tone="waits">{words.test}</Badge>}
      </div>
      <button type="button" className={styles['search']} onClick={onSearch}>
        <span>{words.search}</span>
        <Key keys="Mod K" />
      </button>
      <nav aria-label={words.navigation} className={styles['sections']}>
        {present.map((one) => (
          <Go key={one.name} to={one.to} exact={one.to === '/'} className={styles['section']}>
            <Icon d={one.icon} />
            <span>{words[one.name]}</span>
            {one.name === 'approvals' ? <Count className={styles['count']} /> : null}
          </Go>
        ))}
      </nav>
      <Account onHelp={onHelp} />
    </header>
  );
}

function Bar({
  onMore,
  more,
  onSearch,
}: {
  readonly onMore: () => void;
  readonly more: boolean;
  readonly onSearch: () => void;
}): ReactNode {
  const words = useWords().shell;
  const { name } = useOrganization();
  return (
    <>
      {more ? (
        <div className={styles['more']}>
          <p className={styles['organization']}>
            <Said>{name}</Said>
          </p>
          <button type="button" className={styles['search']} onClick={onSearch}>
            {words.search}
          </button>
          <nav aria-label={words.more} className={styles['sections']}>
            {present
              .filter(({ bar }) => bar === undefined)
              .map((one) => (
                <Go key={one.name} to={one.to} className={styles['section']}>
                  <Icon d={one.icon} />
                  <span>{words[one.name]}</span>
                </Go>
              ))}
          </nav>
          <Account />
        </div>
      ) : null}
      <nav aria-label={words.navigation} className={styles['bar']}>
        {present
          .filter(({ bar }) => bar === true)
          .map((one) => (
            <Go key={one.name} to={one.to} exact={one.to === '/'} className={styles['tab']}>
              <Icon d={one.icon} />
              <span>{words[one.name]}</span>
              {one.name === 'approvals' ? <Count className={styles['count']} /> : null}
            </Go>
          ))}
        <button type="button" className={styles['tab']} aria-expanded={more} onClick={onMore}>
          <Icon d="M4.5 10h.01M10 10h.01m5.49 0h.01" />
          <span>{words.more}</span>
        </button>
      </nav>
    </>
  );
}
