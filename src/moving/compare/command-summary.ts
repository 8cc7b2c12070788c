import { grouped } from '../../base/cli/progress'
import { table } from '../../base/cli/table'
import { FINDING_KINDS, type FindingKind } from './core/model'
import type { RunRow } from './queries'

/** What a comparison has found, for people to read. */
export function summaryOf({ id, kinds, counters }: RunRow, csv: string | null): string {
  const found = FINDING_KINDS.filter((kind) => (kinds[kind] ?? 0) > 0)
  const total = found.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0)
  const rows = found.map((kind) => [grouped(kinds[kind] ?? 0), WORDS[kind]])
  const head = `${grouped(counters.done)} people were compared (${id}): ${total === 0 ? 'nothing differs' : `${grouped(total)} differences about ${grouped(counters.differing)} of them`}.`
  return [
    head,
    ...(rows.length > 0 ? [table(rows)] : []),
    ...notes(counters),
    ...(csv === null ? [] : [`The differences are in ${csv}.`]),
  ].join('\n')
}

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
  const { faults, refused, withoutId, unknownThere, undecided, temporary, otherStores } = counters
  const lines: [number, string][] = [
    [faults, 'could not be compared, because the answer could not be read'],
    [refused, 'were left out: the vendor refuses their ids'],
    [withoutId, 'were left out: the vendor cannot know any of their ids'],
    [unknownThere, 'were unknown there until now'],
    [undecided, 'could not be judged, because something ends just now; the next comparison reads them again'],
    [temporary, 'accesses are given there for hours only, and were not compared'],
  ]
  return [
    ...lines.filter(([number]) => number > 0).map(([number, text]) => `${grouped(number)} ${text}.`),
    ...Object.entries(otherStores).map(
      ([store, number]) => `${grouped(number)} people bought at ${store}, a store that is not here.`,
    ),
  ]
}
