import { bucketBy, variantOf } from '../../core/bucket/bucket'
import { sha256Head } from '../../core/bucket/sha256'
import type { Core } from './core'
import type { SvcError } from './error'
import { ANSWERS, CONTEXT } from './keys'
import type { Funnel, Kept, Placement, PlacementId, Read } from './model'
import { offeringOf, type WireOffering } from './values'

interface WireExperiment {
  id: string
  key: string
  bucketingId: string
  variants: { variantId: string; weight: number; funnel: Funnel }[]
}

interface WirePlacement {
  placement: Placement['placement']
  funnel: Funnel | null
  experiment: WireExperiment | null
  /** Absent in an answer that an earlier version has kept. */
  offering?: WireOffering | null
}

export interface PlacementOptions {
  /** BCP 47, for example `de-AT`. */
  locale?: string
}

export interface Placements {
  /** What to show at a place: from the server, without network the last answer, else what was built in. */
  placement(id: PlacementId, options?: PlacementOptions): Promise<Read<Placement>>
  /** Takes the exported placements that are built into the app, and gives how many can be used. */
  loadFallbackPlacements(json: unknown): number
  /** The variants that were drawn here, by the key of the experiment. */
  drawn: Record<string, string>
}

export function createPlacements(core: Core, bound: () => Promise<unknown>): Placements {
  let fallback: Record<string, WirePlacement> = {}
  const drawn: Record<string, string> = {}
  const { memory, clock } = core

  const read = (wire: WirePlacement, isStale: boolean, fetchedAt: number): Read<Placement> => {
    const value = resolve(wire, core.identity().deviceKey)
    const { funnel, experiment } = value
    const context = funnel?.presentedContext ?? contextOf(value)
    if (context) memory.set(CONTEXT, context)
    if (experiment) drawn[experiment.key] = experiment.variantId
    return { value, isStale, fetchedAt }
  }
  return {
    drawn,
    async placement(id, options) {
      const key = `${ANSWERS}${core.scope()}.placement.${id}`
      const query = options?.locale ? `?locale=${encodeURIComponent(options.locale)}` : ''
      try {
        await bound()
        const data = await core.send<WirePlacement>(`/placements/${encodeURIComponent(id)}${query}`)
        if (!isPlacement(data)) throw core.error('NetworkUnavailable', 'Not an answer of svc')
        memory.set(key, { data, at: clock.now() })
        return read(data, false, clock.now())
      } catch (error) {
        if (!/^(NetworkUnavailable|Timeout)$/.test((error as SvcError).kind)) throw error
        const kept = memory.get<Kept>(key)
        const found = (kept?.data as WirePlacement) ?? fallback[id]
        if (!found) throw error
        return read(found, true, kept?.at ?? 0)
      }
    },
    loadFallbackPlacements(json) {
      const { formatVersion, placements } = parse(json)
      if (formatVersion !== 1 || !placements)
        throw core.error('InvalidArgument', 'The placements must be an export with formatVersion 1')
      fallback = Object.fromEntries(Object.entries(placements).filter(([, one]) => isPlacement(one)))
      return Object.keys(fallback).length
    },
  }
}

function parse(json: unknown): { formatVersion?: unknown; placements?: Record<string, WirePlacement> } {
  try {
    return (typeof json === 'string' ? JSON.parse(json) : json) ?? {}
  } catch {
    return {}
  }
}

/** What goes with the next receipt when an offering is shown; the document of a funnel has its own. */
const contextOf = ({ placement, offering }: Placement) =>
  placement &&
  offering && {
    placementId: placement.identifier,
    placementRevision: placement.revision,
    offeringIdentifier: offering.identifier,
  }

/** Draws the variant as the server does, by the id that it names. */
function resolve(wire: WirePlacement, deviceKey: string): Placement {
  const { placement, funnel, experiment } = wire
  const offering = wire.offering ? offeringOf(wire.offering) : null
  if (!experiment) return { placement, funnel, experiment, offering }
  const { id, key, bucketingId, variants } = experiment
  const weights = variants.map(({ weight }) => weight)
  const variant = variants[variantOf(bucket(bucketingId || deviceKey, key), weights)]
  if (!variant) return { placement, funnel, experiment: null, offering }
  return { placement, funnel: variant.funnel, experiment: { id, key, variantId: variant.variantId }, offering }
}

const bucket = bucketBy(sha256Head)

/** Whether an answer has the members of a placement, each null or as it must be. */
function isPlacement(data: unknown): data is WirePlacement {
  const { placement, funnel, experiment, offering } = (data ?? {}) as Partial<WirePlacement>
  const isNone = (value: unknown) => value === null
  return (
    (isNone(placement) || typeof placement?.revision === 'number') &&
    (isNone(funnel) || typeof funnel?.id === 'string') &&
    (isNone(experiment) || !!experiment?.variants?.every(({ weight, funnel }) => weight >= 0 && !!funnel)) &&
    (!offering || Array.isArray(offering.packages))
  )
}
