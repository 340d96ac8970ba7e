const asked = new Map<string, Promise<unknown>>();

/**
 * Has a language that is no part of the script, from the storefront. Its file has to be the one of this release: the script names its digest, so that
 * what is promised of the bytes of the script holds of these too. Where it cannot be had, English is spoken.
 * @param base the storefront API
 * @param file under which name the script is served there
 * @returns what is to be waited for, if anything
 */
export function learn<C>(
  catalogues: Record<string, C>,
  digests: Readonly<Record<string, string>>,
  tag: string,
  base: string,
  file: string,
): Promise<unknown> | undefined {
  const name = tag.toLowerCase();
  const language = name.replace(/[-_].*/, '');
  if (!base || !Object.hasOwn(digests, language) || [name, language].some((one) => Object.hasOwn(catalogues, one)))
    return undefined;
  const digest = digests[language] as string;
  // Its own address in each release, so that no cache has an older one for it.
  const url = `${base.replace(/\/$/, '')}/${file}.${language}.json?${digest.slice(0, 8)}`;
  const found =
    asked.get(url) ??
    fetch(url, { credentials: 'omit', integrity: `sha256-${digest}`, signal: AbortSignal.timeout(5000) })
      .then((answer) => answer.json())
      .then(
        (learnt: C) => (catalogues[language] ??= learnt),
        () => asked.delete(url),
      );
  asked.set(url, found);
  return found;
}
