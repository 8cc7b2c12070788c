import type { Context } from '../../../base/context'
import { allSettings } from '../../../projects/project/settings'
import type { ProjectState } from '../../../projects/project/state'
import { callProposal } from '../intents/tool'
import { toIntentView } from '../intents/wire'
import type { ThreadMarks } from '../masking/thread-marks'
import type { IntentVia } from '../tables'
import type { ToolAnswer } from '../tools/call'
import type { ToolCaller } from '../tools/caller'
import type { ToolSheet } from '../tools/toolbox'

/** Providers refuse more. The last reading tools of the catalogue are left out then. */
const MOST_TOOLS = 128

/** For whom tools are called. */
export interface ToolWork {
  project: ProjectState
  caller: ToolCaller
  /** Who asks. */
  userId: string
  /** Null where the project shows personal data to the model. */
  marks: ThreadMarks | null
}

const IN_CHAT: IntentVia = { kind: 'CHAT', token: null, note: null }

export const mayPropose = ({ settings }: ProjectState): boolean => allSettings(settings).assistant === 'propose'

/** The tools that the model of a project is given. */
export function sheetsFor({ state: { toolbox, proposals } }: Context, project: ProjectState): ToolSheet[] {
  return mayPropose(project) ? [...proposals.sheets(), ...toolbox.sheets()].slice(0, MOST_TOOLS) : toolbox.sheets()
}

/** Calls a tool for an answer. `tell` gets a proposal that was made, as people see it. */
export async function useTool(
  ctx: Context,
  { project, caller, userId, marks }: ToolWork,
  threadId: string,
  { name, given, tell }: { name: string; given: Readonly<Record<string, unknown>>; tell: (intent: object) => void },
): Promise<ToolAnswer> {
  const plain = marks === null ? given : (marks.unmasked(given) as Readonly<Record<string, unknown>>)
  if (!mayPropose(project) || !ctx.state.proposals.named(name))
    return ctx.state.toolbox.call(name, plain, { caller, projectId: project.id, marks })
  const proposer = { projectId: project.id, userId, threadId, via: IN_CHAT, marks }
  const answer = await callProposal(ctx, name, plain, proposer)
  if (answer.intent) tell(toIntentView(answer.intent, ctx.clock.now()))
  return answer
}
