import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { WEB_PREFIX } from '../../base/http/surface'
import type { KeyState, ProjectState } from '../project/state'

/** The three checks after the key check: the kind of the key, the key in the path, the origin (wire 1.7, 1.10). */
export async function checkBrowserCall(ctx: Context, request: Request, path: string, key: KeyState): Promise<void> {
  const refusal = mountRefusal(path, key)
  if (refusal) throw refusal
  const allowed = key.allowedOrigins ?? (await ctx.state.projects.get(key.projectId)).allowedOrigins
  const origin = request.headers.get('origin')
  if (!isAllowedOrigin(origin, allowed)) throw new AppError('ORIGIN_NOT_ALLOWED', { origin })
}

/** Whether `checkBrowserCall` would accept a call. */
export const passesBrowserCall = (request: Request, path: string, key: KeyState, project: ProjectState): boolean =>
  mountRefusal(path, key) === null &&
  isAllowedOrigin(request.headers.get('origin'), key.allowedOrigins ?? project.allowedOrigins)

function mountRefusal(path: string, { presented, publicKey }: KeyState): AppError | null {
  if (presented !== 'public') return new AppError('API_KEY_KIND_MISMATCH', { required: 'public' })
  if (path.slice(WEB_PREFIX.length).split('/', 1)[0] === publicKey) return null
  return new AppError('FORBIDDEN', undefined, { message: 'The key in the path and the Bearer key differ' })
}

const isAllowedOrigin = (origin: string | null, allowed: readonly string[]): boolean =>
  origin !== null && allowed.includes(origin)
