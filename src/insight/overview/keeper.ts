import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { SerialQueue } from '../../base/db/serial-queue'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { countNewPeople } from '../charts/new-people'
import { readFigureQuery } from '../figures/scope'
import { readWhole } from '../figures/series'
import { cellsOf, type Days, daysUntil, type EntryFigures, entryFigures, type Figures, flow } from './figures'
import { findNextEntry, hasEntriesAfter, type Mark, readMark } from './queries'

/** Figures of a project, and how long they stay true. */
interface Held {
  days: Days
  mark: Mark
  /** Reckoned at this instant; a clock that was set back asks for new ones. */
  from: number
  /** From this instant on a change counts that is known already, or another day has started. */
  until: number
  entries: EntryFigures
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
  async read(project: ProjectState, environment: PurchaseEnvironment = 'PRODUCTION'): Promise<Figures> {
    const key = keyOf(project, environment)
    const queue = this.queues.get(key) ?? new SerialQueue()
    this.queues.set(key, queue)
    return queue.run(() => this.current(project, environment))
  }

  private async current(project: ProjectState, environment: PurchaseEnvironment): Promise<Figures> {
    const { ctx } = this
    const now = ctx.clock.now()
    const mark = await readMark(ctx)
    const kept = this.held.get(keyOf(project, environment))
    const isKept = kept && isTimely(kept, project, now) && (await this.isComplete(kept, project.id, mark))
    const held = isKept ? kept : await this.renew(project, environment, kept, { mark, now })
    // Not kept: an import changes past days, and writes no entries for people who bought nothing.
    const of = { projectId: project.id, environment }
    const count = (handle: Handle) => countNewPeople(handle, of, cellsOf(held.days, now))
    const newPeople = await ctx.storage.readInThread(count, { group: project.id })
    return { ...held.entries, newSubscribers30d: flow(newPeople) }
  }

  /** Whether the project has no entries that are not in it. Those of other projects are passed by once. */
  private async isComplete(held: Held, projectId: string, mark: Mark): Promise<boolean> {
    if (!held.mark.isSettled) return false
    if (held.mark.position === mark.position) return true
    if (await hasEntriesAfter(this.ctx, projectId, held.mark.position)) return false
    if (mark.isSettled) held.mark = mark
    return true
  }

  private async renew(
    project: ProjectState,
    environment: PurchaseEnvironment,
    kept: Held | undefined,
    { mark, now }: { mark: Mark; now: number },
  ): Promise<Held> {
    const days = kept && isSameDay(kept.days, project, now) ? kept.days : daysUntil(project.timezone, now)
    const cells = cellsOf(days, now)
    const dayEnd = days.starts.at(-1) ?? now
    const read = async (handle: Handle): Promise<Held> => {
      const whole = await readWhole(handle, { scope: this.scopeOf(project, environment, days, now), cells })
      const next = await findNextEntry(handle, project.id, environment, now)
      const until = Math.min(next ?? dayEnd, dayEnd)
      return { days, mark, from: now, until, entries: entryFigures(whole.cells) }
    }
    const held = await this.ctx.storage.readInThread(read, { group: project.id })
    this.put(keyOf(project, environment), held)
    return held
  }

  private scopeOf(project: ProjectState, environment: PurchaseEnvironment, { starts }: Days, now: number) {
    const window = { from: toIso(starts[0] ?? now), to: toIso(now + 1) }
    return readFigureQuery(this.ctx, project, { ...window, grain: 'total', environment }).scope
  }

  private put(key: string, held: Held): void {
    this.held.delete(key)
    this.held.set(key, held)
    const [oldest] = this.held.keys()
    if (this.held.size <= MOST_KEPT || oldest === undefined) return
    this.held.delete(oldest)
    this.queues.delete(oldest)
  }
}

const keyOf = ({ id }: ProjectState, environment: PurchaseEnvironment): string => `${id} ${environment}`

const isTimely = ({ days, from, until }: Held, { timezone }: ProjectState, now: number): boolean =>
  now >= from && now < until && days.timezone === timezone

const isSameDay = ({ timezone, starts }: Days, project: ProjectState, now: number): boolean =>
  timezone === project.timezone && now >= (starts.at(-2) ?? 0) && now < (starts.at(-1) ?? 0)
