// Findings that are known and being mended. Each must still be there, so that these lists only get shorter.

/** Files of an area that stand on one above it. */
export const PENDING_UPWARD: readonly string[] = []

/** Slices of one area that are part of a circle. */
export const PENDING_CIRCLES: readonly string[] = []

/** Files that are part of a circle. */
export const PENDING_FILES: readonly string[] = []

/** Files that reach past the service of another slice. */
export const PENDING_LAW: readonly string[] = []

/** Files that import too many others. */
export const PENDING_WIDE: readonly string[] = []
