import type { Exposed } from '../../people/subscribers/transfer-moved'

export type { Exposed }

/** Of a variant that somebody was given and has not seen. */
export const UNEXPOSED: Exposed = {
  exposedAt: null,
  placementId: null,
  platform: null,
  country: null,
  convertedAt: null,
  crossedAt: null,
}

type Held = Exposed & { variantId: string }

/**
 * What the survivor of a merge has seen, where both held the experiment and its own variant stays: one person, exposed
 * once. Of the same variant the earlier exposure counts. Of another one, what was seen follows only where the survivor
 * had seen nothing, and the person has crossed.
 */
export function joinExposed(kept: Held, gone: Held, now: number): Exposed {
  if (gone.exposedAt === null) return toExposed(kept)
  const isSame = kept.variantId === gone.variantId
  const isFollowing = kept.exposedAt === null || (isSame && gone.exposedAt < kept.exposedAt)
  const { exposedAt, placementId, platform, country } = isFollowing ? gone : kept
  const isConverting = isSame || kept.exposedAt === null
  return {
    ...{ exposedAt, placementId, platform, country },
    convertedAt: earliest(kept.convertedAt, isConverting ? gone.convertedAt : null),
    crossedAt: earliest(kept.crossedAt, gone.crossedAt, isSame ? null : now),
  }
}

/** Takes the joining back: each part that is still as the merge left it becomes what it was before. */
export function partExposed(present: Exposed, { before, after }: { before: Exposed; after: Exposed }): Exposed {
  const isExposureOfMerge = present.exposedAt === after.exposedAt
  const { exposedAt, placementId, platform, country } = isExposureOfMerge ? before : present
  return {
    ...{ exposedAt, placementId, platform, country },
    convertedAt: present.convertedAt === after.convertedAt ? before.convertedAt : present.convertedAt,
    crossedAt: present.crossedAt === after.crossedAt ? before.crossedAt : present.crossedAt,
  }
}

export const isSameExposed = (a: Exposed, b: Exposed): boolean =>
  a.exposedAt === b.exposedAt && a.convertedAt === b.convertedAt && a.crossedAt === b.crossedAt

export const toExposed = ({ exposedAt, placementId, platform, country, convertedAt, crossedAt }: Exposed): Exposed => ({
  ...{ exposedAt, placementId, platform, country, convertedAt, crossedAt },
})

function earliest(...instants: (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null)
  return known.length === 0 ? null : Math.min(...known)
}
