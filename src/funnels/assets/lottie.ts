import { parseJsonBytes } from '../../base/lib/json'
import { isObject } from '../../core/funnel/reading'
import type { Prepared } from './picture'

/** A Lottie animation as JSON; null for anything else. Nothing of it is changed. */
export function prepareLottie(bytes: Uint8Array): Prepared | null {
  const animation = parseJsonBytes(bytes)
  if (!isObject(animation) || !Array.isArray(animation.layers)) return null
  const { w, h, fr, ip, op } = animation
  if (![w, h, fr, ip, op].every((value) => typeof value === 'number' && Number.isFinite(value))) return null
  return {
    contentType: 'application/json',
    main: bytes,
    smaller: new Map(),
    width: sideOf(w),
    height: sideOf(h),
    format: 'lottie',
    hadMetadata: false,
  }
}

const sideOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 1 && value <= 16_384 ? Math.round(value) : null
