import type { Context, Tx } from '../../base/context'
import { reasonText } from '../../core/reason/reasons'
import {
  findSubscriber,
  lockLive,
  resolveRow,
  type SubscriberRow,
  unlessUnresolvable,
} from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { eraseSubscriber } from '../erasure/erase'
import { writeExport } from './export/write'
import { artefactKeyOf, LINK_MS } from './model'
import { type DataRequestRow, forgetArtefact, updateAsRead } from './queries'
import { claimRequest, DONE, type Finish, type Outcome, RequestFailed, Work, WorkStopped, whenFree } from './work'

/**
 * Works on a request until it has ended. One that another process works on is left alone until its claim is too old.
 * Throws when something does not work at present; the request then waits again, with the reason in `error`.
 */
export async function performRequest(ctx: Context, id: string, isStopping: () => boolean): Promise<Outcome> {
  const claimed = await claimRequest(ctx, id)
  if (claimed === null) return whenFree(ctx, id)
  const work = new Work(ctx, claimed, isStopping)
  try {
    await work.run(() => (claimed.type === 'EXPORT' ? performExport(ctx, work) : performErasure(ctx, work)))
  } catch (error) {
    return work.end(error)
  }
  return DONE
}

async function performExport(ctx: Context, work: Work): Promise<Finish> {
  const { id, projectId } = work.request
  const project = await projectOf(ctx, projectId)
  const person = assertNotErased(await personOf(ctx, work.request))
  await writeExport(ctx, project, {
    ...{ personId: person.id, requestId: id, key: artefactKeyOf(id) },
    onPage: () => work.assertGoingOn(),
  })
  return async (request) => {
    try {
      await finishExport(ctx, request, person)
    } catch (error) {
      if (error instanceof RequestFailed) await removeArtefact(ctx, id)
      throw error
    }
  }
}

/** An erasure that has committed meanwhile knew nothing of this file, so the file must not be handed out. */
const finishExport = (ctx: Context, request: DataRequestRow, person: SubscriberRow): Promise<void> =>
  ctx.write(async (tx) => {
    assertNotErased((await lockLive(tx, person).catch(unlessUnresolvable)) ?? person)
    await finish(tx, request, { expiresAt: tx.clock.now() + LINK_MS })
  })

async function finish(tx: Tx, request: DataRequestRow, change: Partial<DataRequestRow>): Promise<void> {
  const now = tx.clock.now()
  const ended = { status: 'COMPLETED', error: null, claimedAt: null, completedAt: now, updatedAt: now } as const
  if (!(await updateAsRead(tx, request, { ...change, ...ended })))
    throw new WorkStopped('another process works on the request')
}

function assertNotErased(row: SubscriberRow): SubscriberRow {
  if (row.erasedAt !== null) throw new RequestFailed(reasonText('REQUEST_PERSON_ERASED'))
  return row
}

export async function removeArtefact(ctx: Context, requestId: string): Promise<void> {
  await ctx.state.blobs.remove(artefactKeyOf(requestId))
  await ctx.write((tx) => forgetArtefact(tx, requestId))
}

async function performErasure(ctx: Context, work: Work): Promise<Finish> {
  const project = await projectOf(ctx, work.request.projectId)
  const certificate = await eraseSubscriber(ctx, project, work.request)
  return (request) => ctx.write((tx) => finish(tx, request, { certificate }))
}

async function projectOf(ctx: Context, id: string): Promise<ProjectState> {
  const project = await ctx.state.projects.find(id)
  if (!project) throw new RequestFailed(reasonText('REQUEST_PROJECT_DELETED'))
  return project
}

/** The row at the end of the merge chain; of a broken chain the row itself. */
async function personOf(ctx: Context, { projectId, subscriberId }: DataRequestRow): Promise<SubscriberRow> {
  const row = await findSubscriber(ctx, projectId, subscriberId)
  if (!row) throw new RequestFailed(reasonText('REQUEST_PERSON_UNKNOWN'))
  return (await resolveRow(ctx, row).catch(unlessUnresolvable)) ?? row
}
