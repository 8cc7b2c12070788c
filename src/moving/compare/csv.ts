import type { Context } from '../../base/context'
import type { CsvCell } from '../../base/http/csv'
import { type FindingRow, listFindings } from './queries'

export const FINDING_COLUMNS = ['person', 'kind', 'ours', 'theirs', 'reason'] as const

/** One finding as a line. The text of a person's id is whatever an app has sent, so the writer of lines guards it. */
export const findingCells = ({ person, kind, identifier, ours, theirs, rule, reason }: FindingRow): CsvCell[] => [
  person,
  kind,
  ...[ours, theirs].map((text) => (identifier === '' || text === '' ? text : `${identifier}: ${text}`)),
  rule === null ? reason : `${rule}: ${reason}`,
]

const PAGE = 500

/** The findings of a run, page by page. Without a kind those that are differences. */
export async function* findingPages(
  ctx: Pick<Context, 'db' | 'tables'>,
  runId: string,
  kind: FindingRow['kind'] | null,
): AsyncGenerator<FindingRow[]> {
  let after = 0
  for (;;) {
    const page = await listFindings(ctx, runId, kind, after, PAGE)
    if (page.length === 0) return
    after = page.at(-1)?.position ?? after
    yield kind === null ? page.filter((row) => row.kind !== 'FAULT') : page
  }
}
