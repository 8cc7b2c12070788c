import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { SerialQueue } from '../../base/db/serial-queue'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { readFigureQuery } from '../figures/scope'
import { readWhole } from '../figures/series'
import { cellsOf, type Days, daysUntil, type EntryFigures, entryFigures, type Figures, flow } from './figures'
import { countCreatedIn, findNextEntry, hasEntriesAfter, type Mark, readMark } from './queries'

/** Figures of a project, and how long they stay true. */
interface Held {
  days: Days
  mark: Mark
  /** Reckoned at this instant; a clock that was set back asks for new ones. */
  from: number
  /** From this instant on a change counts that is known already, or another day has begun. */
  until: number
  entries: EntryFigures
  /** Subscribers created on each day but today. */
  created: readonly number[]
}

const MOST_KEPT = 500

/**
 * The figures of the overviews in memory. Each read looks whether any process has written entries since, or a known
 * change has become due; only then they are read again. So an answer is never older than the question.
 */
export class FigureKeeper {
  private readonly held = new Map<string, Held>()
  private readonly queues = new Map<string, SerialQueue>()

  constructor(private readonly ctx: Context) {}

  /** Callers of one project wait for each other: what the first one has read serves the next. */
  async read(project: ProjectState): Promise<Figures> {
    const queue = this.queues.get(project.id) ?? new SerialQueue()
    this.queues.set(project.id, queue)
    return queue.run(() => this.current(project))
  }

  private async current(project: ProjectState): Promise<Figures> {
    const { ctx } = this
    const now = ctx.clock.now()
    const mark = await readMark(ctx)
    const kept = this.held.get(project.id)
    const isKept = kept && isTimely(kept, project, now) && (await this.isComplete(kept, project.id, mark))
    const held = isKept ? kept : await this.renew(project, kept, mark, now)
    const today = cellsOf(held.days, now).slice(-1)
    const created = [...held.created, ...(await countCreatedIn(ctx, project.id, today))]
    return { ...held.entries, newSubscribers30d: flow(created) }
  }

  /** Whether the project has no entries that are not in it. Those of other projects are passed by once. */
  private async isComplete(held: Held, projectId: string, mark: Mark): Promise<boolean> {
    if (!held.mark.isSettled) return false
    if (held.mark.position === mark.position) return true
    if (await hasEntriesAfter(this.ctx, projectId, held.mark.position)) return false
    if (mark.isSettled) held.mark = mark
    return true
  }

  private async renew(project: ProjectState, kept: Held | undefined, mark: Mark, now: number): Promise<Held> {
    const days = kept && isSameDay(kept.days, project, now) ? kept.days : daysUntil(project.timezone, now)
    const cells = cellsOf(days, now)
    const dayEnd = days.starts.at(-1) ?? now
    const read = async (handle: Handle): Promise<Held> => {
      const whole = await readWhole(handle, { scope: this.scopeOf(project, days, now), cells })
      const created = days === kept?.days ? kept.created : await countCreatedIn(handle, project.id, cells.slice(0, -1))
      const next = await findNextEntry(handle, project.id, now)
      const until = Math.min(next ?? dayEnd, dayEnd)
      return { days, mark, from: now, until, entries: entryFigures(whole.cells), created }
    }
    const held = await this.ctx.storage.readInThread(read, { group: project.id })
    this.put(project.id, held)
    return held
  }

  private scopeOf(project: ProjectState, { starts }: Days, now: number) {
    const window = { from: toIso(starts[0] ?? now), to: toIso(now + 1) }
    return readFigureQuery(this.ctx, project, { ...window, grain: 'total', environment: 'PRODUCTION' }).scope
  }

  private put(projectId: string, held: Held): void {
    this.held.delete(projectId)
    this.held.set(projectId, held)
    const [oldest] = this.held.keys()
    if (this.held.size <= MOST_KEPT || oldest === undefined) return
    this.held.delete(oldest)
    this.queues.delete(oldest)
  }
}

const isTimely = ({ days, from, until }: Held, { timezone }: ProjectState, now: number): boolean =>
  now >= from && now < until && days.timezone === timezone

const isSameDay = ({ timezone, starts }: Days, project: ProjectState, now: number): boolean =>
  timezone === project.timezone && now >= (starts.at(-2) ?? 0) && now < (starts.at(-1) ?? 0)
