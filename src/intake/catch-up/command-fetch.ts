import { type Static, Type } from '@sinclair/typebox'
import type { Io } from '../../base/cli/command'
import { grouped } from '../../base/cli/progress'
import { stopSignal } from '../../base/cli/storage'
import { toIso } from '../../base/lib/time'
import { CLI_ACTOR } from '../../projects/audit/audit'
import type { ProjectApi } from '../../projects/project/project-api'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { HistoryCount } from '../inbox/history'
import { type FetchOrder, fetchStoreHistory } from './fetch'
import { FetchedHistory } from './operator-wire'

export const optionOf = (environment: PurchaseEnvironment): string => environment.toLowerCase()

/** A newer server may answer more. */
const Fetched = Type.Omit(FetchedHistory, [], { additionalProperties: true })
type Fetched = Static<typeof FetchedHistory>

/** Processes the history of a store; exit 1 when it stopped before the end or something was refused. */
export async function fetchHistory(
  io: Io,
  project: ProjectApi,
  order: FetchOrder,
  json: boolean | undefined,
): Promise<number> {
  const fetched = await (project.ctx ? fetchHere(io, project.ctx, project, order) : fetchAtServer(project, order))
  const { from, to, ...rest } = fetched
  io.out(json ? JSON.stringify({ ...rest, from, to }) : reportOf(project, order, fetched))
  return fetched.stopped === null && fetched.failed + fetched.unanswered === 0 ? 0 : 1
}

/** On this machine it shows its progress, can be interrupted, and takes as long as it takes. */
async function fetchHere(
  io: Io,
  ctx: NonNullable<ProjectApi['ctx']>,
  { id }: ProjectApi,
  order: FetchOrder,
): Promise<Fetched> {
  const onCount = (count: HistoryCount) => io.progress(`Fetching notifications: ${describe(count)}`)
  const state = await ctx.state.projects.get(id)
  const fetched = await fetchStoreHistory(ctx, state, CLI_ACTOR, order, { signal: stopSignal(io), onCount })
  io.progress(null)
  return { ...fetched, from: toIso(fetched.from), to: toIso(fetched.to) }
}

function fetchAtServer(project: ProjectApi, { store, environment, from, to, page }: FetchOrder): Promise<Fetched> {
  const body = {
    ...{ store, environment, page },
    ...{ from: from === undefined ? undefined : toIso(from), to: to === undefined ? undefined : toIso(to) },
  }
  return project.call('POST', ['store-events', 'fetch'], { data: Fetched, body })
}

const describe = (count: HistoryCount): string =>
  `${grouped(count.new)} new, ${grouped(count.known)} known, ${grouped(count.failed)} failed`

function reportOf({ slug }: ProjectApi, { store, environment }: FetchOrder, fetched: Fetched): string {
  const { from, to, reasons, stopped, unanswered } = fetched
  const isIos = store === 'IOS_STORE'
  const source = isIos ? `the iOS store (${optionOf(environment)})` : 'the payment provider'
  const lines = [
    `Notifications of ${source} from ${from} to ${to}: ${describe(fetched)}.`,
    ...reasons.map(({ reason, count }) => `  ${count} failed: ${reason}`),
    ...(unanswered === 0 ? [] : [`  ${unanswered} wait: the store did not say what they are about; fetch again later`]),
  ]
  if (stopped === null) return lines.join('\n')
  const page = stopped.page === null ? '' : ` --page ${quoted(stopped.page)}`
  const place = isIos ? `--environment ${optionOf(environment)}` : '--store payment'
  return [
    ...lines,
    `It stopped before the end: ${stopped.reason}.`,
    `Go on with: svc store-events fetch --project ${slug} ${place} --from ${from} --to ${to}${page}`,
  ].join('\n')
}

/** Quotes a text from a store for a shell. */
export const quoted = (text: string): string => (/^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
