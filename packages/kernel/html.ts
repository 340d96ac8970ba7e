/** Text that is safe between tags and in quoted attributes. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Escapes every value that is not itself Html: html`<p>${name}</p>`. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const parts = strings.map((before, index) => before + render(values[index] ?? ''));
  return new Html(parts.join(''));
}

function render(value: string | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value !== 'string') return value.map((one) => one.text).join('\n');
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
