import type { Context } from '../../../base/context'
import { conflict, given, isSame, type ProjectActor, refuseFaults } from '../../project/edit'
import { OFFERINGS } from '../project-file/offerings'
import { checkMembers, chooseDefault, identifierFault, MOST, metadataFault, placePackages, repeated } from '../rules'
import { writeCatalog } from '../service'
import type { Offering } from '../snapshot'
import type { OfferingPackage } from '../tables'
import {
  type CatalogEdit,
  editCatalog,
  refuseOverfull,
  refuseTaken,
  refuseUnknown,
  requireObject,
  revised,
  stamped,
  withoutStamps,
} from './edit-catalog'
import { entryOf, offeringImage } from './images'
import { type OfferingAdminView, toOfferingAdminView } from './offering-view'
import { findUsers, refuseUsed } from './users'

/** A package without `order` gets its position in the list. */
export type PackageInput = Pick<OfferingPackage, 'identifier' | 'productId'> & Partial<OfferingPackage>

export interface OfferingInput {
  identifier: string
  isDefault?: boolean
  packages?: PackageInput[]
  metadata?: Record<string, unknown>
}

/**
 * The first offering of a project is the default one, whatever the input says. 400 `VALIDATION_ERROR` or
 * `UNKNOWN_REFERENCES` (product), 409 `IDENTIFIER_TAKEN`, 409 `CONFLICT` for the 201st or for more than 50 packages.
 */
export const createOffering = (ctx: Context, by: ProjectActor, input: OfferingInput): Promise<OfferingAdminView> =>
  editCatalog(ctx, by, async (edit) => {
    const { identifier, isDefault = false, packages = [], metadata = {} } = input
    const id = edit.tx.ids.next('off')
    const row: Offering = { id, identifier, isDefault, packages: placed(edit, packages), metadata }
    refuseUnsound(edit, row)
    refuseOverfull('offerings', edit.rows.offerings.length + 1, MOST.offerings)
    const after = await saveOfferings(edit, [...edit.rows.offerings.map(withoutStamps), row], isDefault ? id : null)
    return revised(edit, toOfferingAdminView(stamped(edit, storable(after.find((each) => each.id === id) ?? row))))
  })

/** Members that are left out keep their value. 409 `CONFLICT` for taking the mark from the default offering. */
export const updateOffering = (
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<OfferingInput>,
): Promise<OfferingAdminView> =>
  editCatalog(ctx, by, async (edit) => {
    const saved = await requireObject(edit, 'offering', edit.rows.offerings, id)
    const { packages, ...members } = change
    const before: Offering = withoutStamps(saved)
    const row: Offering = { ...before, ...given(members), ...(packages && { packages: placed(edit, packages) }) }
    refuseUnsound(edit, row)
    if (before.isDefault && !row.isDefault)
      throw conflict('One offering is always the default; make another one the default instead')
    if (row.identifier !== before.identifier) await refuseRename(edit, before.identifier)
    const others = edit.rows.offerings.filter((each) => each.id !== id).map(withoutStamps)
    const after = await saveOfferings(edit, [...others, row], row.isDefault ? id : null)
    const written = after.find((each) => each.id === id) ?? row
    if (isSame(before, written)) return revised(edit, toOfferingAdminView(saved))
    return revised(edit, toOfferingAdminView(stamped(edit, storable(written), saved.createdAt)))
  })

/** 409 `CONFLICT` while an experiment or a funnel shows it. Another offering becomes the default if this one was it. */
export const deleteOffering = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editCatalog(ctx, by, async (edit) => {
    const { identifier } = await requireObject(edit, 'offering', edit.rows.offerings, id)
    await refuseUsed(edit, OFFERINGS, identifier)
    const others = edit.rows.offerings.filter((each) => each.id !== id).map(withoutStamps)
    await saveOfferings(edit, others, null)
  })

/** Experiments name an offering by its identifier; everything else names it by its id. */
async function refuseRename(edit: CatalogEdit, identifier: string): Promise<void> {
  const users = await findUsers(edit, OFFERINGS, identifier)
  const user = users.find(({ kind }) => kind === 'experiment')
  if (user) throw conflict(`experiment ${user.name} shows ${identifier}, so it cannot get another identifier`)
}

const toPackage = (input: PackageInput, index: number): OfferingPackage => {
  const { identifier, productId, order = index, isPromoted = false, metadata = {} } = input
  return { identifier, productId, order, isPromoted, metadata }
}

function refuseUnsound({ rows }: CatalogEdit, offering: Offering): void {
  refuseFaults(checkMembers(offering))
  const named = rows.offerings.map(({ id, identifier: name }) => ({ id, name }))
  refuseTaken('offering', named, { id: offering.id, name: offering.identifier })
}

/** The packages in the order in which they are saved, or a refusal. */
function placed({ rows }: CatalogEdit, packages: readonly PackageInput[]): OfferingPackage[] {
  refuseFaults([...packages.flatMap(packageFaults), ...repeatedFaults(packages)])
  refuseUnknown(
    'product',
    rows.products,
    packages.map(({ productId }) => productId),
  )
  refuseOverfull('packages', packages.length, MOST.packages)
  return placePackages(packages.map(toPackage))
}

const packageFaults = ({ identifier, metadata = {} }: PackageInput, index: number) =>
  [
    { path: `packages[${index}].identifier`, message: identifierFault(identifier) },
    { path: `packages[${index}].metadata`, message: metadataFault(metadata) },
  ].flatMap(({ path, message }) => (message === null ? [] : [{ path, message: `${path} ${message}` }]))

const repeatedFaults = (packages: readonly PackageInput[]) =>
  repeated(packages.map(({ identifier }) => identifier)).map((name) => ({
    path: 'packages',
    message: `packages: two packages are called ${name}`,
  }))

/** Writes what differs from the saved offerings, with one entry each. Returns all as they are afterwards. */
async function saveOfferings(
  edit: CatalogEdit,
  wanted: readonly Offering[],
  markedId: string | null,
): Promise<Offering[]> {
  const saved = new Map(edit.rows.offerings.map((row) => [row.id, withoutStamps(row)]))
  const candidates = wanted.map(({ id, identifier: name }) => ({
    ...{ id, name, isMarked: id === markedId },
    wasDefault: saved.get(id)?.isDefault === true,
  }))
  const chosenId = chooseDefault(candidates)?.id
  const after = wanted.map((row) => ({ ...row, isDefault: row.id === chosenId }))
  const image = offeringImage(edit.rows)
  const created = after.filter(({ id }) => !saved.has(id))
  const updated = after.filter((row) => {
    const before = saved.get(row.id)
    return before && !isSame(before, row)
  })
  const deletedIds = [...saved.keys()].filter((id) => !after.some((row) => row.id === id))
  await writeCatalog(edit.tx, edit.projectId, { offerings: { created, updated, deletedIds } })
  for (const row of created)
    edit.entries.push(entryOf<Offering>('offering', 'create', { before: null, after: row }, image))
  for (const row of updated)
    edit.entries.push(entryOf<Offering>('offering', 'update', { before: saved.get(row.id) ?? null, after: row }, image))
  for (const id of deletedIds)
    edit.entries.push(entryOf<Offering>('offering', 'delete', { before: saved.get(id) ?? null, after: null }, image))
  return after
}

// The tables require mutable lists; those of the snapshot are read-only.
const storable = (row: Offering) => ({ ...row, packages: [...row.packages] })
