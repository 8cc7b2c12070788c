import type { Context, Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'
import { inParallel } from '../../base/lib/parallel'
import type { ProjectState } from '../../projects/project/state'
import { type AskParts, askAbout, type Person, type PersonResult, withVendorIds } from './ask'
import { interrupted, takenAway, unreadable, VendorClient, WAITS, type Waits } from './client'
import { isDrawn } from './draw'
import { askAboutListed, idsBehind } from './listed'
import type { CompareProgress } from './model'
import { tellDifferences } from './notices'
import { sleep } from './pace'
import {
  insertFindings,
  insertLater,
  listLater,
  listPeople,
  listPeopleById,
  type RunRow,
  updateOwnRun,
} from './queries'
import { resultsOf } from './results'

export interface RunParts {
  key: string
  signal: AbortSignal
  /** People of the vendor's who are not here, in the order of their ids. */
  listed?: readonly string[]
  /** Called after each person. */
  onSeen?(): void
  waits?: Waits
}

/**
 * Works on a run until all people are compared. Each part is written whole or not at all, so that it can continue anywhere.
 */
export async function performRun(
  ctx: Context,
  run: RunRow,
  { key, signal, listed = [], onSeen, waits = WAITS }: RunParts,
): Promise<RunRow> {
  const { url, isTrusted, rate } = run
  const stopper = new AbortController()
  const stop = () => stopper.abort()
  const all = AbortSignal.any([signal, stopper.signal])
  const client = new VendorClient(ctx, { url, isTrusted, key, rate, signal: all, waits })
  const timer = setInterval(() => void sayAlive(ctx, run).then((isOurs) => isOurs || stop()), SAY_EVERY_MS)
  try {
    let current = run
    for (let part = await nextPart(ctx, current, listed); part !== null; part = await nextPart(ctx, current, listed))
      current = await performPart(ctx, current, part, { client, signal: all, stop, onSeen, waits })
    const last = current
    const ended = { status: 'COMPLETED', owner: null, sealedKey: null, finishedAt: ctx.clock.now() } as const
    return await ctx.write(async (tx) => {
      const done = await saveWithin(tx, last, ended)
      await tellDifferences(tx, done)
      return done
    })
  } finally {
    clearInterval(timer)
  }
}

const SAY_EVERY_MS = 10 * SECOND

/** Writes that the run is being worked on; false when it is not this process's any more. */
const sayAlive = (ctx: Context, run: RunRow): Promise<boolean> =>
  ctx.write((tx) => updateOwnRun(tx, run, { seenAt: ctx.clock.now() })).catch(() => true)

/** A few people who are asked about together. */
interface Part {
  people: Person[]
  /** How far the run has come after them. */
  progress: CompareProgress
  notBefore: number
  /** These people were read before. */
  isSecond: boolean
  /** They are not here. */
  isListed?: boolean
}

/** How many people a part has: about ten seconds of work. */
const partSize = (rate: number): number => (rate === 0 ? 200 : Math.min(200, Math.max(5, Math.ceil(rate * 10))))

/** How many people are asked about at the same time: without waiting for each other's answer at a higher rate. */
const widthOf = (rate: number): number => (rate === 0 ? 8 : Math.min(8, Math.max(1, Math.ceil(rate))))

/** The next people of a run; null when everybody is done. */
async function nextPart(ctx: Context, run: RunRow, listed: readonly string[]): Promise<Part | null> {
  const { phase } = run.progress
  const part = phase === 'PEOPLE' ? await nextPeople(ctx, run) : phase === 'LATER' ? await nextLater(ctx, run) : null
  return part ?? nextListed(run, listed)
}

function nextListed({ progress, rate }: RunRow, listed: readonly string[]): Part | null {
  const ids = idsBehind(listed, progress.phase === 'LISTED' ? progress.after : '', partSize(rate))
  const last = ids.at(-1)
  if (last === undefined) return null
  const people = ids.map((id): Person => ({ id: '', ids: [id] }))
  return { people, progress: { phase: 'LISTED', after: last }, ...FIRST, isListed: true }
}

/** The next people who are here. */
async function nextPeople(ctx: Context, run: RunRow): Promise<Part | null> {
  const size = partSize(run.rate)
  const people: Person[] = []
  let { after } = run.progress
  while (people.length < size) {
    // A sample leaves most rows out, so it reads more of them at once.
    const limit = run.threshold === null ? size - people.length : 2000
    const page = await listPeople(ctx, run.projectId, { after, until: run.lastId }, limit)
    const known = (
      await withVendorIds(
        ctx,
        page.filter(({ id }) => isDrawn(run, id)),
      )
    ).filter(hasIds)
    const taken = known.slice(0, size - people.length)
    people.push(...taken)
    const isCut = taken.length < known.length
    after = (isCut ? taken.at(-1)?.id : page.at(-1)?.id) ?? after
    if (!isCut && page.length < limit) {
      const isEmpty = people.length === 0
      return isEmpty ? nextLater(ctx, run) : { people, progress: { phase: 'LATER', after: '' }, ...FIRST }
    }
  }
  return { people, progress: { phase: 'PEOPLE', after }, ...FIRST }
}

const FIRST = { notBefore: 0, isSecond: false }

const hasIds = ({ ids }: Person): boolean => ids.length > 0

async function nextLater(ctx: Context, run: RunRow): Promise<Part | null> {
  const after = run.progress.phase === 'LATER' ? run.progress.after : ''
  const rows = await listLater(ctx, run.id, after, partSize(run.rate))
  const last = rows.at(-1)
  if (!last) return null
  const people = await withVendorIds(
    ctx,
    await listPeopleById(
      ctx,
      run.projectId,
      rows.map(({ subscriberId }) => subscriberId),
    ),
  )
  const notBefore = Math.max(...rows.map((row) => row.notBefore))
  return {
    people: people.filter(hasIds),
    progress: { phase: 'LATER', after: last.subscriberId },
    notBefore,
    isSecond: true,
  }
}

interface Work {
  client: VendorClient
  signal: AbortSignal
  /** Ends what waits for an answer or for its turn. */
  stop: () => void
  onSeen: RunParts['onSeen'] | undefined
  waits: Waits
}

/** People whose answers cannot be read, one after the other, show that the address or the vendor is at fault. */
const MAX_FAULTS_IN_ROW = 20

async function performPart(
  ctx: Context,
  run: RunRow,
  part: Part,
  { client, signal, stop, onSeen, waits }: Work,
): Promise<RunRow> {
  const project = await requireProject(ctx, run.projectId)
  const wait = Math.min(part.notBefore - ctx.clock.now(), waits.secondMs)
  if (wait > 0) await sleep(wait, signal)
  const parts: AskParts = { project, run, client, isSecond: part.isSecond }
  const results: PersonResult[] = []
  await inParallel(part.people, widthOf(run.rate), async (person) => {
    if (signal.aborted) throw interrupted()
    try {
      const [id = ''] = person.ids
      results.push(await (part.isListed ? askAboutListed(ctx, parts, id) : askAbout(ctx, parts, person)))
      onSeen?.()
      refuseFaults(results)
    } catch (error) {
      stop()
      throw error
    }
  })
  return writeResults(ctx, run, part.progress, results)
}

function refuseFaults(results: readonly PersonResult[]): void {
  const last = results.slice(-MAX_FAULTS_IN_ROW)
  const end = last.at(-1)
  if (last.length < MAX_FAULTS_IN_ROW || end?.kind !== 'FAULT' || last.some(({ kind }) => kind !== 'FAULT')) return
  throw unreadable(MAX_FAULTS_IN_ROW, end.reason)
}

async function requireProject(ctx: Context, id: string): Promise<ProjectState> {
  const project = await ctx.state.projects.find(id)
  if (!project) throw notFound('project', id)
  return project
}

/** Saves the findings and the progress of the run in one transaction. */
function writeResults(
  ctx: Context,
  run: RunRow,
  progress: CompareProgress,
  results: readonly PersonResult[],
): Promise<RunRow> {
  return ctx.write(async (tx) => {
    const { findings, later, counters, kinds } = await resultsOf(tx, run, results)
    const next = await saveWithin(tx, run, { progress, counters, kinds, seenAt: tx.clock.now() })
    await insertFindings(tx, findings)
    await insertLater(tx, later)
    return next
  })
}

/** Throws when another process works on the run, or it was cancelled. */
async function saveWithin(tx: Tx, run: RunRow, change: Partial<RunRow>): Promise<RunRow> {
  const isOurs = await updateOwnRun(tx, run, change)
  if (!isOurs) throw takenAway()
  return { ...run, ...change }
}
