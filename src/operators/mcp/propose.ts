import type { Context } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import type { Json } from '../../base/lib/json-schema'
import { isCapability } from '../../core/roles/roles'
import { READ, type Scopes } from '../../projects/doors/scopes'
import { callProposal } from '../assistant/intents/tool'
import type { Marks } from '../assistant/masking/marks'
import { faultAnswer, type ToolAnswer } from '../assistant/tools/call'
import type { ToolSheet } from '../assistant/tools/toolbox'

const MOST_NOTED = 500

/** It is no argument of the change, and no part of what a person approves. */
const NOTE: Json = {
  type: 'string',
  maxLength: MOST_NOTED,
  description: 'Why, for the person who approves the change; it is shown as your words',
}

/** A proposing tool, to which an agent may say why. */
export function withNote(sheet: ToolSheet): ToolSheet {
  const properties = sheet.input.properties as Json
  if ('note' in properties) throw new Error(`${sheet.name} has a note of its own`)
  return { ...sheet, input: { ...sheet.input, properties: { ...properties, note: NOTE } } }
}

/** PostgreSQL cannot store other text. Over HTTP it is refused before. */
const isNote = (note: unknown): note is string =>
  typeof note === 'string' && note.length <= MOST_NOTED && note.isWellFormed() && !note.includes('\0')

/** The agent, and the project for which it proposes. */
interface Agent {
  projectId: string
  /** Null for the command line. */
  userId: string | null
  scopes: Scopes
  tokenName: string | null
  marks: Marks | null
}

/**
 * The scope without which a token may not propose a change; null = it may. A preview has what the route reads, so a token
 * needs the capability of the route or `read`.
 */
function lackingScope({ state }: Context, name: string, given: Record<string, unknown>, scopes: Scopes): string | null {
  if (scopes === null || scopes.includes(READ)) return null
  const capability = state.proposals.named(name)?.routeFor(given).capability ?? READ
  if (!isCapability(capability)) return READ
  return scopes.includes(capability) ? null : capability
}

const lackOf = (scope: string): string =>
  `This personal access token lacks the scope ${scope}: use a token that has it, one with the scope read, or one without scopes`

export async function proposeForAgent(
  ctx: Context,
  name: string,
  { note, ...given }: Readonly<Record<string, unknown>>,
  { tokenName, scopes, ...agent }: Agent,
): Promise<ToolAnswer> {
  if (note !== undefined && !isNote(note))
    return faultAnswer('VALIDATION_ERROR', `note must be a text of at most ${MOST_NOTED} characters, without NUL`)
  const lacking = lackingScope(ctx, name, given, scopes)
  if (lacking !== null) return faultAnswer('FORBIDDEN', lackOf(lacking))
  const { slug } = await ctx.state.projects.get(agent.projectId)
  const linkOf = ({ id }: { id: string }) => `${linkBase(ctx)}/p/${slug}/settings/assistant?intent=${id}`
  const kind = agent.userId === null ? 'CLI' : 'MCP'
  const via = { kind, token: tokenName, note: note?.trim() || null } as const
  return callProposal(ctx, name, given, { ...agent, threadId: null, via, linkOf })
}
