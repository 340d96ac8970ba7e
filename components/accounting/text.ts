/** Whether the database can keep a text: it has neither NUL nor half a letter. `most` in UTF-16 units. */
export const isStorable = (text: string, most = 10_000): boolean =>
  text.length <= most && !text.includes('\0') && text.isWellFormed();
