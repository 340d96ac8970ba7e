import type { To } from './go.tsx';

export interface SectionOfPages {
  readonly name:
    | 'home'
    | 'approvals'
    | 'money'
    | 'people'
    | 'forms'
    | 'commerce'
    | 'activity'
    | 'agents'
    | 'developers'
    | 'settings';
  readonly to: To;
  /** After `g`. */
  readonly letter: string;
  /** In the bar of a phone; the others are under More. */
  readonly bar?: true;
  /** An outline of 20 × 20. */
  readonly icon: string;
}

/** What stands in the rail, from the top; those without a screen (screens/routes.ts) are left out. */
export const sections: readonly SectionOfPages[] = [
  { name: 'home', to: '/', letter: 'h', bar: true, icon: 'M3 9.5 10 3.500l7 6M5 8v8.500h4v-4.500h2v4.500h4V8' },
  {
    name: 'approvals',
    to: '/approvals',
    letter: 'a',
    bar: true,
    icon: 'M3.5 10a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0m4 .2 1.8 1.8 3.3-3.6',
  },
  { name: 'money', to: '/money', letter: 'm', bar: true, icon: 'M4 16.500v-6m4 6V6m4 10.500v-8m4 8V3.5' },
  {
    name: 'people',
    to: '/people',
    letter: 'p',
    icon: 'M7.5 9.500a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.600M2.5 16.500c0-3 2-4.7 5-4.700s5 1.7 5 4.700M13 4.200a2.7 2.7 0 0 1 0 5.200m1.8 2.700c1.8.600 2.7 2.1 2.7 4.4',
  },
  { name: 'forms', to: '/forms', letter: 'f', icon: 'M4.5 3.500h11v13h-11zM7.5 7h5m-5 3h5m-5 3h3' },
  { name: 'commerce', to: '/commerce', letter: 'c', icon: 'M4 7h12l-.8 9.500H4.800zM7.3 9V6a2.7 2.7 0 0 1 5.4 0v3' },
  { name: 'activity', to: '/activity', letter: 'l', bar: true, icon: 'M2.5 10.500h3l2.5-6 4 11 2.5-5h3' },
  {
    name: 'agents',
    to: '/agents',
    letter: 'g',
    icon: 'M5 7.500h10v8H5zM10 7.500v-3m-2.5 7h.01m4.990 0h.01M2.8 10v3.500m14.4-3.500v3.5',
  },
  { name: 'developers', to: '/developers', letter: 'd', icon: 'M7 6l-4 4 4 4m6-8 4 4-4 4m-1.5-10-3 12' },
  { name: 'settings', to: '/settings', letter: 's', icon: 'M3 6h8m4 0h2m-4-2v4M3 14h2m4 0h8M7 12v4' },
];
