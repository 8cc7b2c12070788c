import { canonicalJson, type Written } from '../../base/lib/hash'
import { matchersOver, nothingMentioned } from '../../core/audience/matchers'
import type { Subject } from '../../core/rules/model'
import type { Fault } from '../../core/text/fault'
import type { PublishedFunnel } from '../../funnels/publication/published'
import type { CatalogSnapshot } from '../../projects/catalog/snapshot'
import { type OfferingView, toOfferingView } from '../../projects/catalog/wire'
import type { AnswerNeeds } from '../remote-config/experiment-standing'
import { factsNeeded } from '../remote-config/needs'
import { type RemoteSnapshot, readInProd } from '../remote-config/snapshot'
import { compilePlacement } from './compile'
import type { CompiledPlacement, StoredPlacement } from './model'

/** A compiled placement, and what its rules and experiments need to know of a caller. */
export interface ReadyPlacement extends CompiledPlacement<Subject> {
  id: string
  needs: AnswerNeeds
}

/** A project's placements and published funnels, compiled once per version of its configuration. */
export interface PlacementSnapshot {
  /** By identifier. */
  placements: ReadonlyMap<string, ReadyPlacement>
  /** By id. */
  funnels: ReadonlyMap<string, PublishedFunnel>
  /** By id: the offerings that rows of placements name. */
  offerings: ReadonlyMap<string, OfferingView>
  /** The JSON of the large parts of the answers, for entity tags. */
  written: Written
}

/** A broken row is used for no subscriber; other rows are not affected. */
export function compilePlacements(
  rows: readonly (StoredPlacement & { id: string })[],
  { audiences, askedByRunning, environments }: RemoteSnapshot,
): { placements: Map<string, ReadyPlacement>; faults: (Fault & { id: string })[] } {
  const faults: (Fault & { id: string })[] = []
  const placements = rows.map((row) => {
    const mentioned = nothingMentioned()
    const compiled = compilePlacement(row, matchersOver(audiences, mentioned))
    faults.push(...compiled.faults.map((fault) => ({ id: row.id, ...fault })))
    const experiments = compiled.placement.rows.some(({ target }) => target.type === 'experiment')
    const own = readInProd({ builtIns: [...mentioned.builtIns], flags: [...mentioned.flags] }, environments)
    const builtIns = experiments ? [...own, ...askedByRunning] : own
    return { ...compiled.placement, id: row.id, needs: { facts: factsNeeded(new Set(builtIns)), experiments } }
  })
  return { placements: new Map(placements.map((placement) => [placement.identifier, placement])), faults }
}

/** The offerings that the rows of placements name and that exist. */
export function offeringsOf(
  placements: Iterable<Pick<CompiledPlacement<never>, 'rows'>>,
  catalog: CatalogSnapshot,
): Map<string, OfferingView> {
  const named = [...placements].flatMap(({ rows }) =>
    rows.flatMap(({ target }) => (target.type === 'offering' ? target.offeringId : [])),
  )
  const ids = new Set(named)
  const found = catalog.offerings.filter(({ id }) => ids.has(id))
  return new Map(found.map((offering) => [offering.id, toOfferingView(catalog, offering)]))
}

/** The canonical JSON of pages and offerings, which all answers with them share. */
export function writeLarge(funnels: Iterable<PublishedFunnel>, offerings: Iterable<OfferingView>): Written {
  const written = new WeakMap<object, string>()
  for (const { pages, offering } of funnels)
    for (const part of [pages, offering]) if (part) written.set(part, canonicalJson(part))
  for (const offering of offerings) written.set(offering, canonicalJson(offering))
  return written
}
