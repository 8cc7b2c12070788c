import { grouped } from '../../base/cli/progress'
import { table } from '../../base/cli/table'
import { FINDING_KINDS, type FindingKind } from './core/model'
import type { RunRow } from './queries'

/** What a comparison has found, for people to read. */
export function summaryOf({ id, kinds, counters }: RunRow, csv: string | null): string {
  const found = FINDING_KINDS.filter((kind) => (kinds[kind] ?? 0) > 0)
  const total = found.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0)
  const rows = found.map((kind) => [grouped(kinds[kind] ?? 0), WORDS[kind]])
  const verdict =
    total === 0 ? 'nothing differs' : `${countText(total, 'difference')}, in ${grouped(counters.differing)}`
  const head = `${grouped(counters.done)} compared (${id}): ${verdict}.`
  return [
    head,
    ...(rows.length > 0 ? [table(rows)] : []),
    ...notes(counters),
    ...(csv === null ? [] : [`The differences are in ${csv}.`]),
  ].join('\n')
}

/** The kinds of differences that a run has found, with their counts; null = none. */
export function differencesText({ kinds }: Pick<RunRow, 'kinds'>): string | null {
  const found = FINDING_KINDS.filter((kind) => (kinds[kind] ?? 0) > 0)
  return found.length === 0 ? null : found.map((kind) => `${WORDS[kind]} (${grouped(kinds[kind] ?? 0)})`).join(', ')
}

const countText = (count: number, word: string): string => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`

const WORDS: Record<FindingKind, string> = {
  ACCESS_ONLY_THERE: 'an access only there',
  ACCESS_ONLY_HERE: 'an access only here',
  OTHER_END: 'another end',
  OTHER_PRODUCT: 'another product',
  OTHER_STORE: 'another store',
  PURCHASE_ONLY_THERE: 'a purchase only there',
  PURCHASE_ONLY_HERE: 'a purchase only here',
  OTHER_OWNER: 'another owner',
  OTHER_STATE: 'another state',
  PERSON_UNKNOWN_THERE: 'a person unknown there',
  PERSON_UNKNOWN_HERE: 'a person unknown here',
}

function notes(counters: RunRow['counters']): string[] {
  const { listed = 0, faults, refused, withoutId, unknownThere, undecided, temporary, otherStores } = counters
  const lines: [number, string][] = [
    [listed, 'Of them from the list, and not here'],
    [faults, 'Not compared, because the answer cannot be read'],
    [refused, 'Left out, because the vendor refuses their ids'],
    [withoutId, 'Left out, because the vendor cannot know any of their ids'],
    [unknownThere, 'Unknown there until now'],
    [undecided, 'Not judged, because something ends just now; the next comparison reads them again'],
    [temporary, 'Accesses that are given there for hours only'],
    ...Object.entries(otherStores).map(([store, count]): [number, string] => [
      count,
      `Buyers at ${store}, a store that is not here`,
    ]),
  ]
  return lines.filter(([count]) => count > 0).map(([count, text]) => `${text}: ${grouped(count)}`)
}
