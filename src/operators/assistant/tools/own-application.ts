import type { Program } from '../../../base/cli/command'
import type { Context } from '../../../base/context'

/** Makes the routes of this process callable for tools, in a command that serves none. */
export function openOwnApplication(ctx: Context, program: Program): void {
  const app = program.createApp(ctx)
  ctx.state.application.current = {
    answer: async (request) => app.fetch(request),
    routes: () => app.routes,
    within: (own) => {
      const inside = program.createApp(own, (prefix) => prefix.startsWith('/dashboard/projects/'))
      return async (request) => inside.fetch(request)
    },
  }
}
