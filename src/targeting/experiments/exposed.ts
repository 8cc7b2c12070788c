import type { Exposed } from '../../people/subscribers/transfer-moved'

export type { Exposed }

/** The values of an assignment without an exposure. */
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
 * The exposure of the survivor of a merge, where both rows held the experiment and the own variant of the survivor
 * stays: one person, exposed once. If the variant is the same, the earlier exposure counts. If it is another one, its
 * exposure is taken over only where the survivor had none, and the subscriber has crossed over.
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

/** Undoes `joinExposed`: each part that is still as the merge left it gets its value of before. */
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
