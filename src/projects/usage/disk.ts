import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Check, type Examination, type Examined, ok, warn } from '../../base/cli/doctor'
import type { Config } from '../../base/config'
import { daysUntilFull } from './disk-forecast'
import { DEPLOYMENT, FREE_BYTES, listLevels } from './level-queries'
import { usageDay } from './month'

/** The free bytes of the disk on which the database grows; null when that is not a disk of this machine. */
export function freeBytesOf({ database }: Pick<Config, 'database'>): number | null {
  if (database.kind !== 'file' && database.kind !== 'replica') return null
  const folder = dirname(database.path)
  if (!existsSync(folder)) return null
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const LOOKED_AT_DAYS = 30
const SOON_DAYS = 30

/** When the disk will be full, at the pace of the last 30 days. */
export const diskExamination: Examination = {
  name: 'usage',
  database: async (examined) => {
    const free = freeBytesOf(examined.config)
    return free === null ? [] : checkPace(examined, free)
  },
}

async function checkPace({ handle, now }: Examined, free: number): Promise<Check[]> {
  const today = usageDay(now)
  const levels = await listLevels(handle, DEPLOYMENT, [today - LOOKED_AT_DAYS, today])
  const days = daysUntilFull(levels.get(FREE_BYTES) ?? new Map(), free)
  return days === null ? [] : [checkDays(days)]
}

/** Fewer than 30 days are a warning. */
export function checkDays(days: number): Check {
  const pace = `at the pace of the last ${LOOKED_AT_DAYS} days`
  const whole = Math.floor(days).toLocaleString('en-US')
  if (days < SOON_DAYS)
    return warn(
      'disk growth',
      `The disk of the database is full in about ${whole} days, ${pace}; make room, or keep events for fewer days.`,
    )
  return ok('disk growth', `The disk of the database lasts more than ${whole} days, ${pace}.`)
}
