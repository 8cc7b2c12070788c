import type { Io } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { listWaitingProjects } from '../../people/purchases/waiting-queries'
import { requireProject } from '../../projects/project/lookup'
import type { ProjectState } from '../../projects/project/state'
import { currentProject } from '../relink/current-project'
import { listAllWaiting } from './admin'
import { toWaitingProduct } from './wire'

/** `svc purchases waiting`. Returns the exit code: 3 when purchases wait for a product that the catalogue lacks. */
export async function runWaiting(ctx: Context, io: Io, ref: string | undefined, json: boolean): Promise<number> {
  const items: Item[] = []
  for (const id of await listProjects(ctx, ref)) {
    const project = await currentProject(ctx, id)
    if (project) items.push(...(await listOf(ctx, project)))
  }
  io.out(json ? JSON.stringify({ items }) : toText(items))
  return items.some(({ state }) => state === 'MISSING') ? 3 : 0
}

type Item = { project: string } & ReturnType<typeof toWaitingProduct>

const listProjects = async (ctx: Context, ref: string | undefined): Promise<string[]> =>
  ref === undefined ? listWaitingProjects(ctx) : [(await requireProject(ctx, ref)).id]

const listOf = async (ctx: Context, project: ProjectState): Promise<Item[]> =>
  (await listAllWaiting(ctx, project)).map((one) => ({ project: project.slug, ...toWaitingProduct(one) }))

const HEAD = ['PROJECT', 'STORE', 'PRODUCT', 'STATE', 'PURCHASES', 'PEOPLE', 'SALES', 'FIRST', 'LAST']

function toText(items: readonly Item[]): string {
  if (items.length === 0) return 'No purchase waits for a product.'
  return table([
    HEAD,
    ...items.map(({ project, store, storeProductId, state, purchases, people, sales, firstSeenAt, lastSeenAt }) => [
      ...[project, store, storeProductId, state, String(purchases), String(people), String(sales)],
      ...[firstSeenAt.slice(0, 10), lastSeenAt.slice(0, 10)],
    ]),
  ])
}
