import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { sha256Hex } from '../../base/lib/hash'
import { withVendorIds } from './ask'
import { listPeople, type RunRow } from './queries'

/** Who takes part in a run, as far as it is counted before the first question. */
export interface Drawn {
  people: number
  refused: number
  withoutId: number
  threshold: string | null
  /** People up to this id take part. */
  lastId: string
}

/** The same people are drawn every time, so that nightly runs over a sample can be compared with each other. */
export const drawOf = (projectId: string, subscriberId: string): string =>
  sha256Hex(`compare ${projectId} ${subscriberId}`).slice(0, 16)

export const isDrawn = ({ projectId, threshold }: Pick<RunRow, 'projectId' | 'threshold'>, id: string): boolean =>
  threshold === null || drawOf(projectId, id) <= threshold

const PAGE = 2000

/** Counts the people of a project, and draws a sample of those who can be asked about. */
export async function drawPeople(ctx: Context, projectId: string, sample: number | null): Promise<Drawn> {
  const drawn = { people: 0, refused: 0, withoutId: 0, threshold: null, lastId: '' }
  let lowest: string[] = []
  for (;;) {
    const read = (handle: Handle) => listPeople(handle, projectId, { after: drawn.lastId, until: null }, PAGE)
    const page = await ctx.storage.readInThread(read, { group: projectId })
    const people = await withVendorIds(ctx, page)
    for (const { id, ids, isRefused } of people) {
      if (isRefused) drawn.refused++
      else if (ids.length === 0) drawn.withoutId++
      else drawn.people++
      if (sample !== null && ids.length > 0) lowest.push(drawOf(projectId, id))
    }
    if (sample !== null && lowest.length > 2 * sample + PAGE) lowest = lowest.sort().slice(0, sample)
    drawn.lastId = page.at(-1)?.id ?? drawn.lastId
    if (page.length < PAGE) break
  }
  if (sample === null || drawn.people <= sample) return drawn
  return { ...drawn, people: sample, threshold: lowest.sort()[sample - 1] ?? null }
}
