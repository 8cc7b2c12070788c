import type { SectionKey, Wanted } from './model'
import { locateProblems, parseProjectFile, wantedOf } from './parse'
import type { Sources } from './reader'
import type { Sections } from './section'

/** No variable is set, and no file exists. */
export const NOTHING: Sources = { env: () => null, file: () => null }

/** All problems with the text of a file, each as `line:column path code message`. */
export function problemsOf(sections: Sections, text: string, sources = NOTHING): string[] {
  const parsed = parseProjectFile(sections, text, sources)
  const found = 'unreadable' in parsed ? parsed.unreadable : locateProblems(parsed, parsed.problems)
  return found.map(({ line, column, path, code, message }) => `${line}:${column} ${path} ${code} ${message}`)
}

/** What a file without problems has in one of the sections; null if it does not have the section. */
export function wantedIn<Entry>(
  sections: Sections,
  key: SectionKey<unknown, Entry>,
  text: string,
  sources = NOTHING,
): readonly Wanted<Entry>[] | null {
  const parsed = parseProjectFile(sections, text, sources)
  if ('unreadable' in parsed || parsed.problems.length > 0)
    throw new Error(problemsOf(sections, text, sources).join('\n'))
  return wantedOf(parsed, key)
}
