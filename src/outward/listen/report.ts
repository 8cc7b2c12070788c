import type { Io } from '../../base/cli/command'
import { SECOND } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { AttemptReport, Report, Tally } from './run'
import type { FeedStart } from './source'

type Out = Pick<Io, 'out' | 'err' | 'clock'>

/** Deliveries go to stdout, one a line; what happens to the connection goes to stderr. */
export const createReport = (io: Out, json: boolean): Report => ({
  attempted: (attempt) => io.out(json ? JSON.stringify(toWire(attempt, io.clock.now())) : toLine(attempt, io)),
  away: (sentence) => io.err(`${sentence} It is asked again until it answers.`),
  back: () => io.err('Connected again; nothing was left out.'),
})

const toWire = ({ event, attempt, statusCode, durationMs, error, nextInMs }: AttemptReport, now: number) => ({
  at: toIso(now),
  eventId: event.id,
  type: event.type,
  subscriberId: event.subscriberId,
  seq: event.seq,
  attempt,
  statusCode,
  durationMs,
  error,
  nextInMs,
  replayFrom: error !== null && nextInMs === null ? toIso(event.recordedAt) : null,
})

const TYPE_WIDTH = 26
const SUBSCRIBER_WIDTH = 30

function toLine({ event, statusCode, durationMs, error, nextInMs }: AttemptReport, { clock }: Out): string {
  const when = `${toIso(clock.now()).slice(11, 19)}Z`
  const what = event.type.padEnd(TYPE_WIDTH)
  const who = (event.subscriberId ?? '-').padEnd(SUBSCRIBER_WIDTH)
  const status = statusCode === null ? '---' : String(statusCode)
  const line = `${when}  ${what}  ${who}  ${status}  ${durationMs} ms`
  return error === null ? line : `${line}  ${error}; ${nextStep(nextInMs, event.recordedAt)}`
}

const nextStep = (nextInMs: number | null, recordedAt: number): string =>
  nextInMs === null
    ? `not delivered, replay with --replay-from ${toIso(recordedAt)}`
    : `again in ${nextInMs / SECOND} s`

export interface Head {
  secret: string
  /** The source of the events. */
  source: string
  forwardTo: string
}

/** The secret comes first. */
export const headLines = (head: Head, json: boolean): string =>
  json
    ? JSON.stringify(head)
    : `${head.secret}\nThe events of ${head.source} go to ${head.forwardTo}, signed with this secret. Ctrl-C ends it.`

export const endLine = (tally: Tally, json: boolean): string =>
  json ? JSON.stringify(toEnd(tally)) : endSentence(toEnd(tally))

const toEnd = ({ delivered, failed, end }: Tally) => ({ delivered, failed, replayFrom: placeOf(end) })

const placeOf = (end: FeedStart): string => ('cursor' in end ? end.cursor : toIso(end.since))

const endSentence = ({ delivered, failed, replayFrom }: ReturnType<typeof toEnd>): string =>
  `Delivered: ${delivered}. Not delivered: ${failed}. To continue: --replay-from ${replayFrom}`
