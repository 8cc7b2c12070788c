import type { InternalRoute } from 'elysia'
import type { Context } from '../context'

/** The whole HTTP application of this process. */
export interface Application {
  answer(request: Request): Promise<Response>
  routes(): readonly InternalRoute[]
  /** The routes of one slice below a project, over another context. */
  within(ctx: Context, slice: string): (request: Request) => Promise<Response>
}

/** Where parts of the application find it to call its other routes for their caller; null before it is created. */
export interface ApplicationPlace {
  current: Application | null
}

/**
 * A request that the server sends to its own application for a caller, with what identifies that caller. It has the
 * rights of the caller and counts against their limits. The address of the caller was counted before.
 */
export class RelayedRequest extends Request {}
