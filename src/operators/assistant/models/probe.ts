import type { Context } from '../../../base/context'
import { SECOND } from '../../../base/lib/clock'
import type { ToolSheet } from '../tools/toolbox'
import { askModel } from './ask-model'
import { type ModelAccess, ModelFault, type ModelRequest } from './model'

/** Why credentials are of no use. */
export type ProbeFault = 'rejected' | 'unreachable' | 'no_tools' | 'no_model'

const PROBE_MS = 30 * SECOND

const PROBE_TOOL: ToolSheet = {
  name: 'say_ready',
  description: 'Says that you are ready. Call it once.',
  input: {
    type: 'object',
    properties: { ready: { type: 'boolean' } },
    required: ['ready'],
    additionalProperties: false,
  },
}

/** Asks a model for one token and for one call of a tool. Null when it answers both. */
export async function probeModel(ctx: Pick<Context, 'state'>, access: ModelAccess): Promise<ProbeFault | null> {
  const signal = AbortSignal.timeout(PROBE_MS)
  const base = { system: 'You are being tested.', turns: [{ role: 'user', text: 'Call say_ready.' }] as const, signal }
  try {
    await callsOf(ctx, access, { ...base, tools: [], maxTokens: 1 })
  } catch (error) {
    return faultOf(error, 'rejected')
  }
  try {
    const calls = await callsOf(ctx, access, { ...base, tools: [PROBE_TOOL], maxTokens: 256, mustCall: true })
    return calls.some(({ name }) => name === PROBE_TOOL.name) ? null : 'no_tools'
  } catch (error) {
    return faultOf(error, 'no_tools')
  }
}

async function callsOf(ctx: Pick<Context, 'state'>, access: ModelAccess, request: ModelRequest) {
  for await (const event of askModel(ctx, access, request)) if (event.kind === 'end') return event.calls
  throw new ModelFault('broken', 'the answer has no end')
}

/** `refused` is what the refusal of a request means that a provider understood. */
function faultOf(error: unknown, refused: ProbeFault): ProbeFault {
  if (!(error instanceof ModelFault)) return 'unreachable'
  if (error.reason === 'rejected' || error.reason === 'no_model') return error.reason
  return error.reason === 'refused' ? refused : 'unreachable'
}
