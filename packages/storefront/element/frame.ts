import { textOf } from './refusal.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import { make, mark } from './dom.ts';
import css from './style.css';

/** How far the form is; none, as long as the page has not said which form. */
export type Stage = 'loading' | 'ready' | 'sending' | 'sent' | 'failed' | undefined;

let sheet: CSSStyleSheet | undefined;

/** What stands around the fields, built once. */
export class Frame {
  readonly list = make('div');
  readonly faults = make('div', { part: 'summary', role: 'alert', tabindex: '-1' });
  readonly problem = make('div', { part: 'problem', role: 'alert' });
  readonly button = make('button', { part: 'button' });
  /** Fields' names become properties of their form; whatever we touch is therefore this element inside it. */
  readonly inner = make('fieldset', { role: 'none' }, this.faults, this.list, this.problem, this.button);
  readonly live = make('div', { part: 'status', role: 'status' });
  readonly again = make('button', { part: 'button', type: 'button' });
  readonly thanks = make('slot', { name: 'success' });
  readonly done = make('div', { part: 'success', tabindex: '-1' }, this.thanks);
  readonly fallback = make('slot');
  readonly root = make(
    'div',
    {},
    make('form', { part: 'form', novalidate: '' }, this.inner),
    this.live,
    this.again,
    this.done,
    this.fallback,
  );

  constructor(shadow: ShadowRoot) {
    if (!sheet) {
      // Constructed, because a strict style-src admits neither <style> nor style="".
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(this.root);
  }

  /** Shows what belongs to a stage, and nothing else. */
  enter(stage: Stage, words: Catalogue, failure: unknown): void {
    const sending = stage === 'sending';
    this.inner.hidden = stage !== 'ready' && !sending;
    this.done.hidden = stage !== 'sent';
    this.again.hidden = this.fallback.hidden = stage !== 'failed';
    mark(this.button, 'aria-disabled', sending && 'true');
    this.live.textContent =
      sending || stage === 'loading' ? words[stage] : stage === 'failed' ? textOf(failure, words) : '';
  }
}
