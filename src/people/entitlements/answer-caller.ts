import type { Context } from '../../base/context'
import { cached } from '../../projects/doors/cached'
import type { ProjectState } from '../../projects/project/state'
import type { AccessMap } from '../subscribers/access-map'
import { resolveCaller, type SubscriberRow } from '../subscribers/service'
import { accessNow } from './service'

interface Call {
  project: ProjectState
  request: Request
  set: { headers: Record<string, string | number> }
}

export type CallerAnswers = ReturnType<typeof callerAnswers>

/** For a cached route: answers from the subscriber of the calling device and the access that it has now. */
export function callerAnswers(ctx: Context, route: string) {
  const answer = cached(ctx, {
    route,
    headers: ['x-svc-app-user-id'],
    onHit: (callerId, now) => ctx.state.presence.see(callerId, now),
  })
  return <Payload>(call: Call, toPayload: (row: SubscriberRow, access: AccessMap) => Payload): Promise<Payload> =>
    answer(call, async () => {
      const { row, ids } = await resolveCaller(ctx, call.project.id, call.request)
      const { access, at, changesAt, purchaseIds } = await accessNow(ctx, call.project, row)
      return { callerId: row.id, rowIds: [...ids, ...purchaseIds], at, changesAt, payload: toPayload(row, access) }
    })
}
