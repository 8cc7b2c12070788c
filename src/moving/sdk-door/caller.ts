import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { callerAddress, type RequestFacts } from '../../base/http/request'
import { hitKey, hitKeyHere } from '../../projects/doors/api'
import type { KeyState, ProjectState } from '../../projects/project/state'
import type { ArrivedCall } from './admitted'
import type { SdkCaller } from './model'
import { INVALID_KEY, INVALID_RECEIPT, SdkRefusal } from './refusal'
import { platformOf, readSdkKey, type SdkKey } from './select'

/** The project and the platform of a call, after its limits and rights were checked. */
export async function admitSdk(ctx: Context, request: Request, facts: RequestFacts): Promise<SdkCaller> {
  await countAddress(ctx, request, facts)
  const sdkKey = readSdkKey(request.headers.get('authorization'))
  const key = sdkKey && (await findKey(ctx, sdkKey))
  if (!sdkKey || !key) throw unknownKey()
  facts.projectId = key.projectId
  facts.presented = 'public'
  countLimit(ctx, facts, facts.headers, await hitKey(ctx, key, ctx.clock.now()))
  const project = await ctx.state.projects.get(key.projectId)
  const { isTest } = sdkKey
  const refusal = refusalOf(project, key, isTest, request.headers)
  if (refusal) throw refusal
  return { project, key, platform: platformOf(request.headers), isTest }
}

/** As `admitSdk`, but from memory and without the limits: null when something must be read, or the call is refused. */
export function recallCaller(ctx: Context, headers: Headers, now: number): SdkCaller | null {
  const sdkKey = readSdkKey(headers.get('authorization'))
  const key = sdkKey && recallKey(ctx, sdkKey, now)
  const project = key && ctx.state.projects.held(key.projectId)
  if (!sdkKey || !key || !project) return null
  const { isTest } = sdkKey
  if (refusalOf(project, key, isTest, headers)) return null
  return { project, key, platform: platformOf(headers), isTest }
}

/** Why a project refuses a call with a key of its own, or null. */
function refusalOf(project: ProjectState, key: KeyState, isTest: boolean, headers: Headers): SdkRefusal | null {
  if (!project.sdkDoor.enabled) return unknownKey()
  if (!acceptsOrigin(headers, key, project.allowedOrigins))
    return new SdkRefusal(403, INVALID_KEY, 'Add this origin to the allowed origins of the project')
  if (isTest && !project.sdkDoor.testStore)
    return new SdkRefusal(400, INVALID_RECEIPT, 'The test store is off; switch it on in the settings of the project')
  return null
}

const unknownKey = () => new SdkRefusal(401, INVALID_KEY, 'The API key is not valid here')

async function countAddress(ctx: Context, request: Request, facts: RequestFacts): Promise<void> {
  if (ctx.config.ratePerIp === 0) return
  const address = callerAddress(ctx, request, facts)
  countLimit(
    ctx,
    facts,
    facts.headers,
    await ctx.state.limits.hit('ip', address, ctx.config.ratePerIp, ctx.clock.now()),
  )
}

/** Our own public key behind a prefix, or a key of the vendor that a project has entered. */
async function findKey(ctx: Context, { publicKey, whole }: SdkKey): Promise<KeyState | null> {
  if (publicKey === null) return ctx.state.formerSdkKeys.find(whole)
  return ctx.state.keys.find({ presented: 'public', name: publicKey })
}

function recallKey(ctx: Context, { publicKey, whole }: SdkKey, now: number): KeyState | null {
  if (publicKey === null) return ctx.state.formerSdkKeys.heldBy(whole)
  return ctx.state.keys.heldBy({ presented: 'public', name: publicKey }, now)
}

/** In a browser, a key is accepted on the pages that the project has named, as for our own client. */
function acceptsOrigin(headers: Headers, { allowedOrigins }: KeyState, ofProject: readonly string[]): boolean {
  const origin = headers.get('origin')
  return origin === null || (allowedOrigins ?? ofProject).includes(origin)
}

/** Counts a call against both limits in the memory of this process. False, and nothing is counted, over one of them. */
export function countAtOnce(ctx: Context, { request, facts }: ArrivedCall, key: KeyState, now: number): boolean {
  const { ratePerIp } = ctx.config
  const address = ratePerIp === 0 ? '' : callerAddress(ctx, request, facts)
  const ofAddress = ctx.state.limits.hitHere('ip', address, ratePerIp, now)
  if (ofAddress?.isExceeded) return false
  const ofKey = hitKeyHere(ctx, key, now)
  if (ofKey?.isExceeded) {
    if (ofAddress) ctx.state.limits.giveBackHere('ip', address, now)
    return false
  }
  countLimit(ctx, facts, facts.headers, ofAddress)
  countLimit(ctx, facts, facts.headers, ofKey)
  return true
}
