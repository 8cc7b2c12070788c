import type { Context } from '../../base/context'
import { type Answer, recordAnswer } from '../../base/http/pipeline'
import type { RequestFacts } from '../../base/http/request'
import type { ProjectState } from '../../projects/project/state'
import type { ArrivedCall, SdkAnswer } from './admitted'
import { readBody } from './call-body'
import { admitSdk } from './caller'
import { findCall, isSdkPath, mayBeSdkPath } from './calls'
import { HANDLERS, recallAnswer } from './handlers'
import type { SdkCaller } from './model'
import { toSdkRefusal } from './refusal'
import { sdkRouteOf, toRefused, toResponse } from './response'
import { seenApp } from './seen-sdk'
import { isSdkCall, isSdkPreflight } from './select'

/**
 * Answers the calls of another vendor's SDKs in their own protocol; undefined passes a call on. It comes before every
 * other check, because a refusal of ours would be a 4xx without the integer code that these SDKs read.
 */
export function answerSdk(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
): Response | Promise<Response> | undefined {
  const { path } = facts
  if (!mayBeSdkPath(path)) return undefined
  if (request.method === 'OPTIONS') return preflight(request, facts)
  const call = findCall(request.method, path)
  if (!call || !isSdkCall(request.headers, NEEDS_HEADERS.has(call.name))) return undefined
  const arrived = { call, request, facts, set }
  return answerAtOnce(ctx, arrived) ?? answerCall(ctx, arrived)
}

/** Most calls ask for a kept answer. Without a promise they take much less time. */
function answerAtOnce(ctx: Context, arrived: ArrivedCall): Response | undefined {
  const recalled = recallAnswer(ctx, arrived)
  return recalled ? answered(ctx, arrived, recalled.caller, recalled.answer) : undefined
}

function answered(ctx: Context, arrived: ArrivedCall, caller: SdkCaller, answer: SdkAnswer): Response {
  const { facts } = arrived
  facts.projectId = caller.key.projectId
  facts.presented = 'public'
  note(ctx, caller.project, arrived, outcomeOf(answer), answer.subscriberId)
  return finish(ctx, arrived, toResponse(ctx, arrived, caller, answer))
}

/** Calls that are recognised by both headers only, because monitors and proxies request the same path. */
const NEEDS_HEADERS: ReadonlySet<string> = new Set(['health'])

async function answerCall(ctx: Context, arrived: ArrivedCall): Promise<Response> {
  const { call, request, facts } = arrived
  let caller: SdkCaller | null = null
  try {
    caller = await admitSdk(ctx, request, facts)
    const body = await readBody(ctx, arrived)
    return answered(ctx, arrived, caller, await HANDLERS[call.name](ctx, { call, caller, request, facts, body }))
  } catch (error) {
    const refusal = toSdkRefusal(call.name, error)
    note(ctx, caller?.project ?? (await projectOf(ctx, facts)), arrived, String(refusal.code))
    return finish(ctx, arrived, await toRefused(ctx, arrived, refusal, error))
  }
}

/** The project whose key a refused call had; null for an unknown key. */
async function projectOf(ctx: Context, { projectId }: RequestFacts): Promise<ProjectState | null> {
  if (!projectId) return null
  return ctx.state.projects.get(projectId).catch(() => null)
}

/** Counts the call, and notes the device that it came from. */
function note(
  ctx: Context,
  project: ProjectState | null,
  { call, request: { headers } }: ArrivedCall,
  outcome: string,
  subscriberId?: string,
): void {
  if (!project?.sdkDoor.logCalls) return
  const app = seenApp(headers)
  ctx.state.sdkCalls.count(project.id, app, call.name, outcome)
  if (subscriberId !== undefined) ctx.state.sdkDevices.note(project.id, subscriberId, app)
}

/** Attributes that are partly refused are an answer with a code, and no refusal. */
const outcomeOf = ({ body }: SdkAnswer): string => ('code' in body ? String(body.code) : 'OK')

function finish(ctx: Context, { call, request, facts }: ArrivedCall, response: Response): Response {
  recordAnswer(ctx, request, facts, sdkRouteOf(call), response.status)
  return response
}

/** Answers the preflight of the web SDK; undefined for any other one. The origin is checked with the key, in the call. */
function preflight(request: Request, { path }: RequestFacts): Response | undefined {
  if (!isSdkPath(path) || !isSdkPreflight(request.headers)) return undefined
  const headers = {
    'access-control-allow-origin': request.headers.get('origin') ?? '*',
    'access-control-allow-methods': 'GET, POST, PATCH, OPTIONS',
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
    'access-control-max-age': '86400',
    vary: 'Origin, Access-Control-Request-Headers',
  }
  return new Response(null, { status: 204, headers })
}
