import type { Context } from '../../base/context'
import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import type { ProjectState } from '../../projects/project/state'
import { type CustomerInfo, second } from './customer-info'

/** The answer about a person in the form in which it is sent again: without the instants of the request. */
export class KeptInfo {
  constructor(
    /** JSON of the person without `last_seen` and without the first brace, up to the end of the answer. */
    readonly lasting: string,
    readonly etag: string,
  ) {}

  textAt(now: number): string {
    const at = second(now)
    return `{"request_date":"${at}","request_date_ms":${now},"subscriber":{"last_seen":"${at}",${this.lasting}`
  }
}

/** Of the whole answer but the instants of the request, which differ in every answer. */
export function etagOf(body: object): string {
  const { request_date: _date, request_date_ms: _ms, subscriber, ...rest } = body as Partial<CustomerInfo> // Read only.
  const { last_seen: _seen, ...person } = subscriber ?? {}
  return sha256Hex(canonicalJson({ ...rest, ...(subscriber && { subscriber: person }) })).slice(0, 32)
}

/** Which answer about a person is asked for. */
export interface InfoQuestion {
  project: ProjectState
  personId: string
  isTest: boolean
}

const nameOf = ({ project, personId, isTest }: InfoQuestion): string =>
  `former-sdk ${project.id} ${isTest ? 'test' : ''}\n${personId}`

/** The kept answer with the id of the person's row; null when it must be made. */
export function findKept(
  ctx: Context,
  question: InfoQuestion,
  now: number,
): { info: KeptInfo; subscriberId: string } | null {
  const found = ctx.state.responseCache.find(nameOf(question), now)
  if (!found || found.edition !== ctx.state.projects.editionOf(question.project)) return null
  return { info: new KeptInfo(found.body, found.etag), subscriberId: found.callerId }
}

/** An answer, and what decides how long it is right. */
export interface MadeInfo {
  info: CustomerInfo
  subscriberId: string
  /** All rows that were read for it. */
  rowIds: readonly string[]
  at: number
  /** The instant from which on time alone may change it; null = never. */
  changesAt: number | null
}

/** Keeps an answer until something in it changes. `mark`: of the response cache, from before anything was read. */
export function keepInfo(ctx: Context, question: InfoQuestion, made: MadeInfo, mark: number): void {
  const edition = ctx.state.projects.editionOf(question.project)
  if (edition === undefined) return
  const { last_seen: _seen, ...lasting } = made.info.subscriber
  const answer = { body: `${JSON.stringify(lasting).slice(1)}}`, etag: etagOf(made.info), callerId: made.subscriberId }
  const until = made.changesAt ?? Number.POSITIVE_INFINITY
  ctx.state.responseCache.keep(
    nameOf(question),
    { ...answer, rowIds: made.rowIds, edition, from: made.at, until },
    mark,
  )
}
