import type { Context } from '../../base/context'
import { inParallel } from '../../base/lib/parallel'
import { findErasedKey } from '../../people/subscribers/erased-keys'
import type { ProjectState } from '../../projects/project/state'
import type { AskParts, PersonResult } from './ask'
import { compare } from './core/compare'
import { findByVendorId } from './ours'
import { reasonOfUnknown } from './reason'
import { isRefusedId } from './revenuecat/ids'

const WIDTH = 8

/** Those of a list of the vendor's ids whom the project does not have, in the order of their ids. */
export async function notHere(ctx: Context, projectId: string, ids: readonly string[]): Promise<string[]> {
  const left: string[] = []
  await inParallel(ids, WIDTH, async (id) => {
    if (!isRefusedId(id) && !(await isHere(ctx, projectId, id))) left.push(id)
  })
  return left.sort()
}

/** Nothing is noted about a person who was erased here: they are not missing. */
async function isHere(ctx: Context, projectId: string, id: string): Promise<boolean> {
  if (await findByVendorId(ctx, projectId, id)) return true
  for (const kind of ['LABEL', 'DEVICE'] as const)
    for (const value of [id, `import:${id}`])
      if ((await findErasedKey(ctx, projectId, { kind, value })) !== null) return true
  return false
}

/** Up to `size` ids behind one; the list is in their order. */
export function idsBehind(list: readonly string[], after: string, size: number): string[] {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? '') > after) high = middle
    else low = middle + 1
  }
  return list.slice(low, low + size)
}

/** Reads a person of the list, who is a difference when the vendor has something about them. */
export async function askAboutListed(
  ctx: Context,
  { project, run, client }: AskParts,
  person: string,
): Promise<PersonResult> {
  const common = { id: '', person }
  const at = ctx.clock.now()
  if (await isHere(ctx, project.id, person)) return { ...common, kind: 'GONE' } // Has come meanwhile.
  const answer = await client.read(person)
  if (!answer.ok) return { ...common, kind: 'FAULT', reason: answer.reason, at }
  const { side, isCreated } = answer
  if (await isSomebodyHere(ctx, project, person, side.customerId)) return { ...common, kind: 'GONE' }
  const question = { theirs: side, isNewThere: isCreated, ours: null, readAt: at, catalog: project.catalog }
  const outcome = compare({ ...question, skipSandbox: run.skipSandbox, found: new Map() })
  const findings = outcome.differences.map((one) => ({ ...one, ...reasonOfUnknown() }))
  return { ...common, kind: 'COMPARED', outcome, findings, isUnknownThere: isCreated }
}

/** The vendor may know a person by several ids. */
const isSomebodyHere = async (
  ctx: Context,
  { id }: ProjectState,
  person: string,
  customerId: string,
): Promise<boolean> => customerId !== person && isHere(ctx, id, customerId)
