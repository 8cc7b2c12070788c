import type { Context } from '../../../base/context'
import { lazily } from '../../../base/lib/lazily'
import type { ToolSheet } from '../tools/toolbox'
import { type Proposable, proposables } from './proposals'

/** The changes that can be proposed to this server. */
export class Proposals {
  private readonly all: () => Proposable[]

  constructor(ctx: Context) {
    this.all = lazily(() => proposables(ctx.state.application.current?.routes() ?? []))
  }

  sheets(): ToolSheet[] {
    return this.all().map(({ sheet }) => sheet)
  }

  find(action: string): Proposable | null {
    return this.all().find((one) => one.action.name === action) ?? null
  }

  /** By the name of its tool. */
  named(tool: string): Proposable | null {
    return this.all().find(({ sheet }) => sheet.name === tool) ?? null
  }
}
