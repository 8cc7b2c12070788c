import type { Io } from '../../base/cli/command'
import { grouped } from '../../base/cli/progress'
import { stopSignal } from '../../base/cli/storage'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { FetchedHistory, HistoryCount } from '../inbox/history'
import type { HistoryOrder } from '../inbox/history-span'
import { fetchIosHistory } from '../ios/history'
import { fetchPaymentHistory } from '../payment/history'

export interface FetchOrder extends HistoryOrder {
  store: 'IOS_STORE' | 'PAYMENT'
}

export const optionOf = (environment: PurchaseEnvironment): string => environment.toLowerCase()

/** Processes the history of a store; exit 1 when it stopped before the end or something was refused. */
export async function fetchHistory(
  ctx: Context,
  io: Io,
  project: ProjectState,
  order: FetchOrder,
  json: boolean | undefined,
): Promise<number> {
  const onCount = (count: HistoryCount) => io.progress(`Fetching notifications: ${describe(count)}`)
  const fetch = order.store === 'PAYMENT' ? fetchPaymentHistory : fetchIosHistory
  const fetched = await fetch(ctx, project, order, { signal: stopSignal(io), onCount })
  io.progress(null)
  const { from, to, ...rest } = fetched
  if (json) io.out(JSON.stringify({ ...rest, from: toIso(from), to: toIso(to) }))
  else io.out(reportOf(project, order, fetched))
  return fetched.stopped === null && fetched.failed + fetched.unanswered === 0 ? 0 : 1
}

const describe = (count: HistoryCount): string =>
  `${grouped(count.new)} new, ${grouped(count.known)} known, ${grouped(count.failed)} failed`

function reportOf({ slug }: ProjectState, { store, environment }: FetchOrder, fetched: FetchedHistory): string {
  const { from, to, reasons, stopped, unanswered } = fetched
  const isIos = store === 'IOS_STORE'
  const source = isIos ? `the iOS store (${optionOf(environment)})` : 'the payment provider'
  const lines = [
    `Notifications of ${source} from ${toIso(from)} to ${toIso(to)}: ${describe(fetched)}.`,
    ...reasons.map(({ reason, count }) => `  ${count} failed: ${reason}`),
    ...(unanswered === 0 ? [] : [`  ${unanswered} wait: the store did not say what they are about; fetch again later`]),
  ]
  if (stopped === null) return lines.join('\n')
  const page = stopped.page === null ? '' : ` --page ${quoted(stopped.page)}`
  const place = isIos ? `--environment ${optionOf(environment)}` : '--store payment'
  return [
    ...lines,
    `It stopped before the end: ${stopped.reason}.`,
    `Go on with: svc store-events fetch --project ${slug} ${place} --from ${toIso(from)} --to ${toIso(to)}${page}`,
  ].join('\n')
}

/** Quotes a text from a store for a shell. */
export const quoted = (text: string): string => (/^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
