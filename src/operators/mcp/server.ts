import type { Context } from '../../base/context'
import type { Json } from '../../base/lib/json-schema'
import { VERSION } from '../../base/version'
import type { Scopes } from '../../projects/doors/scopes'
import { allSettings } from '../../projects/project/settings'
import { keyedMarks } from '../assistant/masking/marks'
import { faultAnswer, type ToolAnswer } from '../assistant/tools/call'
import type { ToolCaller } from '../assistant/tools/caller'
import { GUIDE_TOOL } from '../assistant/tools/guide'
import type { ToolSheet } from '../assistant/tools/toolbox'
import { proposeForAgent, withNote } from './propose'
import type { McpServer } from './protocol'

/** Who uses the server, and which of their projects are meant. */
export interface McpUse {
  caller: ToolCaller
  /** Empty for the command line. */
  userId: string
  /** What the token may do of what its owner may do; null = all, as for the command line. */
  scopes: Scopes
  /** The name of the personal access token; null for the command line. */
  tokenName(): Promise<string | null>
  /** The project of every call; absent = each call names one. */
  project?: string | undefined
  /** The id of the project with a slug or id; without one, of the only project. A fault says what to do. */
  findProject(ref: string | undefined): Promise<{ id: string } | { fault: string }>
}

/** The reading tools of this server for one caller. */
export function mcpServer(ctx: Context, use: McpUse): McpServer {
  const { toolbox } = ctx.state
  return {
    name: 'svc',
    version: VERSION,
    tools: async () => {
      const sheets = (await mayPropose(ctx, use))
        ? [...toolbox.sheets(), ...ctx.state.proposals.sheets().map(withNote)]
        : toolbox.sheets()
      return sheets.map((sheet) => (use.project === undefined ? withProject(sheet) : sheet))
    },
    call: (name, given) => call(ctx, use, name, given),
  }
}

/** False only where the one project of all calls does not take proposals. */
async function mayPropose({ state }: Context, { project, findProject }: McpUse): Promise<boolean> {
  const found = project === undefined ? { fault: '' } : await findProject(project)
  return 'fault' in found || allSettings((await state.projects.get(found.id)).settings).assistant === 'propose'
}

const PROJECT: Json = {
  type: 'string',
  maxLength: 64,
  description: 'Slug or id of the project; needless for a member of a single one',
}

function withProject(sheet: ToolSheet): ToolSheet {
  if (sheet.name === GUIDE_TOOL) return sheet
  const properties = { project: PROJECT, ...(sheet.input.properties as Json) }
  return { ...sheet, input: { ...sheet.input, properties } }
}

async function call(
  ctx: Context,
  use: McpUse,
  name: string,
  { project, ...given }: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const { toolbox, projects, proposals } = ctx.state
  const isProposal = proposals.named(name) !== null
  if (!isProposal && !toolbox.has(name)) return faultAnswer('NOT_FOUND', `There is no tool ${name.slice(0, 80)}`)
  if (name === GUIDE_TOOL) return toolbox.call(name, given, { caller: use.caller, projectId: '', marks: null })
  if (project !== undefined && typeof project !== 'string')
    return faultAnswer('VALIDATION_ERROR', 'project must be a slug or an id')
  if (project !== undefined && use.project !== undefined && project !== use.project)
    return faultAnswer('VALIDATION_ERROR', `This address is for the project ${use.project} alone`)
  const found = await use.findProject(use.project ?? project)
  if ('fault' in found) return faultAnswer('NOT_FOUND', found.fault)
  const settings = allSettings((await projects.get(found.id)).settings)
  if (settings.assistant === 'off') return faultAnswer('FORBIDDEN', 'The assistant is switched off in this project')
  const marks = settings.assistantPersonalData === 'full' ? null : keyedMarks(ctx.mac, found.id, use.userId)
  if (!isProposal) return toolbox.call(name, given, { caller: use.caller, projectId: found.id, marks })
  if (settings.assistant !== 'propose')
    return faultAnswer('FORBIDDEN', 'This project takes no proposals: its assistant only reads')
  const userId = use.userId === '' ? null : use.userId
  const agent = { projectId: found.id, userId, scopes: use.scopes, tokenName: await use.tokenName(), marks }
  return proposeForAgent(ctx, name, given, agent)
}
