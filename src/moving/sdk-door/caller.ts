import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { callerAddress, type RequestFacts } from '../../base/http/request'
import { hitKey } from '../../projects/doors/api'
import type { KeyState } from '../../projects/project/state'
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
  if (!project.sdkDoor.enabled) throw unknownKey()
  refuseOrigin(request, key, project.allowedOrigins)
  const { isTest } = sdkKey
  if (isTest && !project.sdkDoor.testStore)
    throw new SdkRefusal(400, INVALID_RECEIPT, 'The test store is off; switch it on in the settings of the project')
  return { project, key, platform: platformOf(request.headers), isTest }
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

/** In a browser, a key is accepted on the pages that the project has named, as for our own client. */
function refuseOrigin(request: Request, { allowedOrigins }: KeyState, ofProject: readonly string[]): void {
  const origin = request.headers.get('origin')
  if (origin === null || (allowedOrigins ?? ofProject).includes(origin)) return
  throw new SdkRefusal(403, INVALID_KEY, 'Add this origin to the allowed origins of the project')
}
