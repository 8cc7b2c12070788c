import type { InternalRoute } from 'elysia'
import { type Tool, type ToolInput, toolFinder } from '../tools/tool'
import type { ToolSheet } from '../tools/toolbox'
import { ACTIONS, type Action, proposalName } from './actions'

/** An action with the routes that make its change. */
export interface Proposable {
  action: Action
  /** What it is called with. */
  sheet: ToolSheet
  /** The route for these arguments. */
  routeFor(given: Readonly<Record<string, unknown>>): Tool
}

/** All that can be proposed, as the routes describe it. */
export function proposables(routes: readonly InternalRoute[]): Proposable[] {
  const find = toolFinder(routes)
  return ACTIONS.map((action) => proposable(action, (operationId) => withoutTrial(find(operationId))))
}

function proposable(action: Action, find: (operationId: string) => Tool): Proposable {
  const { operation } = action
  if (typeof operation === 'string') {
    const tool = find(operation)
    return { action, sheet: sheetOf(action, tool, tool.input), routeFor: () => tool }
  }
  const [create, update] = [find(operation.create), find(operation.update)]
  const input = eitherInput(create.input, update.input)
  return { action, sheet: sheetOf(action, create, input), routeFor: ({ id }) => (id === undefined ? create : update) }
}

const sheetOf = ({ name }: Action, { description }: Tool, input: ToolInput): ToolSheet => ({
  name: proposalName(name),
  description: `Proposes a change, which a person must approve: ${description}`,
  input,
})

/** Every proposal is tried first, so `dryRun` is no argument of it. */
function withoutTrial(tool: Tool): Tool {
  const { dryRun: _dryRun, ...properties } = tool.input.properties
  const places = new Map([...tool.places].filter(([name]) => name !== 'dryRun'))
  return { ...tool, places, input: { ...tool.input, properties } }
}

const eitherInput = (create: ToolInput, update: ToolInput): ToolInput => ({
  ...create,
  properties: { ...update.properties, ...create.properties },
  required: create.required.filter((name) => update.required.includes(name)),
})
