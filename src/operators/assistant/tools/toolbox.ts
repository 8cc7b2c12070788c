import type { Context } from '../../../base/context'
import type { Json } from '../../../base/lib/json-schema'
import { lazily } from '../../../base/lib/lazily'
import type { StoredRead } from '../tables'
import { orderOf } from './arguments'
import { callTool, faultAnswer, type ToolAnswer, type ToolUse } from './call'
import { GUIDE_DESCRIPTION, GUIDE_INPUT, GUIDE_TOOL, readGuide } from './guide'
import { readingTools, type Tool } from './tool'

/** Longer calls are not kept with a message. */
const MOST_STORED = 8000

/** A tool as a model gets to know it. */
export interface ToolSheet {
  name: string
  description: string
  input: Json
}

/** The tools of this server. None of them changes anything. */
export class Toolbox {
  private readonly tools: () => Map<string, Tool>

  constructor(ctx: Context) {
    this.tools = lazily(() => {
      const routes = ctx.state.application.current?.routes() ?? []
      return new Map(readingTools(routes).map((tool) => [tool.name, tool]))
    })
  }

  sheets(): ToolSheet[] {
    const own = [...this.tools().values()].map(({ name, description, input }) => ({ name, description, input }))
    return [{ name: GUIDE_TOOL, description: GUIDE_DESCRIPTION, input: GUIDE_INPUT }, ...own]
  }

  has(name: string): boolean {
    return name === GUIDE_TOOL || this.tools().has(name)
  }

  /** The call that a tool makes for arguments; null when it makes none, or a long one. */
  readOf(name: string, given: Readonly<Record<string, unknown>>, projectId: string): StoredRead | null {
    const tool = this.tools().get(name)
    const order = tool && orderOf(tool, projectId, given)
    if (!order || 'fault' in order) return null
    const read = { method: tool.method, ...order }
    return JSON.stringify(read).length > MOST_STORED ? null : read
  }

  /** Calls a tool. What cannot be called is an answer that says why. */
  async call(name: string, given: Readonly<Record<string, unknown>>, use: ToolUse): Promise<ToolAnswer> {
    if (name === GUIDE_TOOL) return readGuide(use.caller, given)
    const tool = this.tools().get(name)
    return tool ? callTool(tool, given, use) : faultAnswer('NOT_FOUND', `There is no tool ${name.slice(0, 80)}`)
  }
}
