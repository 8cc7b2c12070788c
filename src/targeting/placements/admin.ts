import type { Context, Tx } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { faultsText } from '../../base/lib/faults'
import { canonicalJson } from '../../base/lib/hash'
import type { Actor } from '../../projects/audit/audit'
import { editProject } from '../../projects/project/edit'
import { changeEntry } from '../audiences/audit-entry'
import { checkPlacement, MAX_PLACEMENTS } from './check'
import type { PlacementRow } from './model'
import * as queries from './queries'
import { refuseMissing } from './references'
import { requirePlacement } from './revision'

type Row = queries.PlacementTableRow

export interface PlacementInput {
  identifier: string
  name: string
  rows: PlacementRow[]
  /** Default: true. */
  isActive?: boolean
}

/**
 * A new placement, in revision 1. 400 `VALIDATION_ERROR` or `INVALID_ROW_REF` for faulty rows, 409 `IDENTIFIER_TAKEN`,
 * 409 `CONFLICT` for the 201st.
 */
export function createPlacement(ctx: Context, projectId: string, input: PlacementInput, actor: Actor): Promise<Row> {
  const { identifier, name, rows, isActive = true } = input
  return change(ctx, projectId, actor, async (tx) => {
    const there = await queries.listPlacements(tx, projectId)
    checkShape({ identifier, name, rows, isActive })
    if (there.length >= MAX_PLACEMENTS)
      throw new AppError('CONFLICT', undefined, {
        message: `A project has at most ${MAX_PLACEMENTS} placements; delete one first`,
      })
    refuseTaken(there, identifier, null)
    await refuseMissing(tx, projectId, rows)
    const now = tx.clock.now()
    const id = tx.ids.next('plc')
    const row = { id, projectId, identifier, name, rows, isActive, revision: 1, createdAt: now, updatedAt: now }
    await queries.insertPlacements(tx, [row])
    return { before: null, after: row }
  })
}

/** Changes the given members. The revision grows by 1, unless nothing differs. Refusals as for `createPlacement`. */
export function updatePlacement(
  ctx: Context,
  projectId: string,
  id: string,
  input: Partial<PlacementInput>,
  actor: Actor,
  expected: number | null = null,
): Promise<Row> {
  return change(ctx, projectId, actor, async (tx) => {
    const row = await requirePlacement(tx, projectId, id, expected)
    const { identifier = row.identifier, name = row.name, rows = row.rows, isActive = row.isActive } = input
    const wanted = { identifier, name, rows, isActive }
    checkShape(wanted)
    refuseTaken(await queries.listPlacements(tx, projectId), identifier, id)
    if (input.rows) await refuseMissing(tx, projectId, rows)
    if (canonicalJson(viewOf(row)) === canonicalJson(wanted)) return { before: row, after: row }
    const set = { ...wanted, revision: row.revision + 1, updatedAt: tx.clock.now() }
    await queries.updatePlacement(tx, id, set)
    return { before: row, after: { ...row, ...set } }
  })
}

/** 404 when there is no such placement, so also when it is repeated. */
export async function deletePlacement(
  ctx: Context,
  projectId: string,
  id: string,
  actor: Actor,
  expected: number | null = null,
): Promise<void> {
  await change(ctx, projectId, actor, async (tx) => {
    const row = await requirePlacement(tx, projectId, id, expected)
    await queries.deletePlacements(tx, [id])
    return { before: row, after: null }
  })
}

interface Changed<After extends Row | null> {
  before: Row | null
  after: After
}

/** One change of one placement, with its audit row. A change to the same content writes nothing. */
const change = <After extends Row | null>(
  ctx: Context,
  projectId: string,
  actor: Actor,
  work: (tx: Tx) => Promise<Changed<After>>,
): Promise<After> =>
  editProject(ctx, { projectId, actor }, async ({ tx, entries }) => {
    const { before, after } = await work(tx)
    if (before?.revision === after?.revision) return after
    const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
    entries.push(changeEntry('placement', verb, before, after, viewOf))
    return after
  })

const viewOf = ({ identifier, name, rows, isActive }: Row) => ({ identifier, name, rows, isActive })

function checkShape(draft: Parameters<typeof checkPlacement>[0]): void {
  const faults = checkPlacement(draft)
  if (faults.length > 0) throw invalid(faultsText(faults.map(({ message }) => message)))
}

function refuseTaken(there: readonly Row[], identifier: string, ownId: string | null): void {
  const isTaken = there.some((row) => row.identifier === identifier && row.id !== ownId)
  if (isTaken) throw new AppError('IDENTIFIER_TAKEN', { resource: 'placement', identifier })
}
