import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import type { DomainLife, Proof } from './model'

/** How long a name is checked before it fails. */
const CYCLE_MS = 72 * HOUR
/** How long the TXT record of a verified name may be gone. */
export const GRACE_MS = 7 * DAY
/** The first checks after the start of a cycle; the others follow at its full hours. */
const FIRST_CHECKS = [1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE)

/** A cycle of checks that starts now, for a new name and for one that failed. */
export const beginning = (now: number): DomainLife => ({
  status: 'PENDING',
  ...{ failure: null, cycleAt: now, verifiedAt: null, missingSince: null },
})

/** The life of a name that another project has proved. It is checked again when a person asks. */
export const heldLife = (life: DomainLife, now: number): DomainLife => ({
  ...{ status: 'FAILED', failure: 'HELD', cycleAt: life.cycleAt ?? now, verifiedAt: null, missingSince: null },
})

/** The life of a name after a check. While no name server answers, a verified name stays as it is. */
export function lifeAfter(life: DomainLife, proof: Proof, now: number): DomainLife {
  if (proof === 'SHOWN') return shown(life, now)
  if (life.status === 'VERIFIED') return proof === 'MISSING' ? missed(life, now) : life
  const cycleAt = life.cycleAt ?? now
  if (now < cycleAt + CYCLE_MS) return { ...life, cycleAt }
  return { ...life, cycleAt, status: 'FAILED', failure: life.failure ?? 'NOT_PROVED' }
}

const shown = (life: DomainLife, now: number): DomainLife => ({
  ...{ status: 'VERIFIED', failure: null, cycleAt: life.cycleAt ?? now },
  ...{ verifiedAt: life.verifiedAt ?? now, missingSince: null },
})

function missed(life: DomainLife, now: number): DomainLife {
  const missingSince = life.missingSince ?? now
  return now - missingSince >= GRACE_MS ? beginning(now) : { ...life, missingSince }
}

/**
 * When a name is checked again, in Unix milliseconds: 1, 2, 5, 10 and 30 minutes after its cycle started, then at the full
 * hours of the cycle until its 72nd. A verified name that lacks nothing is checked daily, and hourly while its TXT record
 * is gone. Null for a name that failed.
 */
export function nextCheckAt(life: DomainLife, isComplete: boolean, now: number): number | null {
  if (life.status === 'FAILED') return null
  const cycleAt = life.cycleAt ?? now
  const isOver = now >= cycleAt + CYCLE_MS
  if (life.status === 'VERIFIED' && (isComplete || isOver)) return now + (life.missingSince === null ? DAY : HOUR)
  const passed = now - cycleAt
  const first = FIRST_CHECKS.find((after) => after > passed)
  return cycleAt + (first ?? (Math.floor(passed / HOUR) + 1) * HOUR)
}
