import type { Context } from '../../../base/context'
import { URL_FAULTS } from '../../../base/lib/outgoing-url'
import type { Wanted } from '../../../projects/project-file/model'
import { type Problem, problem } from '../../../projects/project-file/problem'
import { listEndpoints } from '../queries'
import type { WantedEndpoint } from './form'

/** Refuses new addresses that cannot receive webhooks. It looks up their hosts; saved addresses are not looked up again. */
export async function inspectEndpoints(
  ctx: Context,
  projectId: string,
  wanted: readonly Wanted<WantedEndpoint>[],
): Promise<Problem[]> {
  const saved = await listEndpoints(ctx, projectId)
  const isSaved = ({ name, was, state }: Wanted<WantedEndpoint>) =>
    saved.some((row) => (row.name === name || row.name === was) && row.url === state.url)
  const fresh = wanted.filter((one) => one.state.url !== '' && !isSaved(one))
  return (await Promise.all(fresh.map((one) => inspect(ctx, one)))).flat()
}

async function inspect(ctx: Context, { path, state }: Wanted<WantedEndpoint>): Promise<Problem[]> {
  const reason = await ctx.state.outgoing.faultOf(state.url)
  return reason === null
    ? []
    : [problem([...path, 'url'], `This ${URL_FAULTS[reason]}`, 'WEBHOOK_URL_REJECTED', { reason })]
}
