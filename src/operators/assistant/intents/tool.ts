import type { Context } from '../../../base/context'
import type { Marks } from '../masking/marks'
import { masked } from '../masking/mask'
import type { IntentVia } from '../tables'
import { faultAnswer, type ToolAnswer } from '../tools/call'
import { propose } from './propose'
import type { IntentRow } from './queries'

/** Who proposes, and where. */
export interface Proposer {
  projectId: string
  /** Null for the command line. */
  userId: string | null
  threadId: string | null
  via: IntentVia
  /** Null = personal data is shown as it is. */
  marks: Marks | null
  /** The address at which people decide about the proposal. */
  linkOf?: (intent: IntentRow) => string
}

export interface ProposalAnswer extends ToolAnswer {
  intent: IntentRow | null
}

/** Calls a proposing tool. A refused proposal is an answer too, so that the caller can correct the arguments. */
export async function callProposal(
  ctx: Context,
  name: string,
  given: Readonly<Record<string, unknown>>,
  { projectId, userId, threadId, via, marks, linkOf }: Proposer,
): Promise<ProposalAnswer> {
  const proposable = ctx.state.proposals.named(name)
  if (!proposable) return refused('NOT_FOUND', `There is no tool ${name.slice(0, 80)}`)
  const proposed = await propose(ctx, { projectId, userId, threadId, via, proposable, arguments: given })
  if ('refused' in proposed) return refused(proposed.refused.code, proposed.refused.message)
  const { intent } = proposed
  const shown = { intentId: intent.id, status: intent.status, summary: intent.summary, preview: intent.preview }
  const told = marks === null ? shown : masked(shown, marks)
  const data = { ...(told as typeof shown), note: NOTE, ...(linkOf && { link: linkOf(intent) }) }
  return { isError: false, text: JSON.stringify({ data }), rows: null, intent }
}

const NOTE = 'Nothing has changed yet. A person sees this proposal in the console and approves or rejects it.'

const refused = (code: string, message: string): ProposalAnswer => ({ ...faultAnswer(code, message), intent: null })
