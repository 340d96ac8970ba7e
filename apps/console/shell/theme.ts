export type Theme = 'system' | 'light' | 'dark';

const kept = 'theme';

export const chosenTheme = (): Theme => {
  const text = localStorage.getItem(kept);
  return text === 'light' || text === 'dark' ? text : 'system';
};

/** The system's colours unless the person chose others here. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(kept);
    delete document.documentElement.dataset['theme'];
    return;
  }
  localStorage.setItem(kept, theme);
  document.documentElement.dataset['theme'] = theme;
}
