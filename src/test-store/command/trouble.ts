import { Type } from '@sinclair/typebox'
import { UsageError } from '../../base/cli/command'
import { MINUTE } from '../../base/lib/clock'
import type { ProjectApi } from '../../projects/project/project-api'
import { Faults } from '../dashboard/simulation-wire'
import { NO_TROUBLE, type Trouble } from '../stores/world'
import { toDuration, type Values } from './options'
import { type Output, PATH } from './report'

/** A newer server may answer more. */
const FaultsAnswer = Type.Omit(Faults, [], { additionalProperties: true })

/** Adds to the faults that are simulated from now on, or ends all of them. */
export async function trouble(project: ProjectApi, io: Output, values: Values): Promise<number> {
  const body = { action: 'trouble', ...toTroubleChange(values) }
  const all = await project.call('POST', PATH, { data: FaultsAnswer, body })
  io.out(values.json ? JSON.stringify(all) : `trouble      ${describeFault(all)}`)
  return 0
}

export function toTroubleChange(values: Values): Partial<Trouble> {
  const { duplicate, reorder, delay, drop, off = false, 'store-down': storeDown } = values
  const change: Partial<Trouble> = {
    ...(duplicate !== undefined && { duplicates: toCount(duplicate) }),
    ...(reorder && { isReordered: true }),
    ...(delay !== undefined && { delayMs: toDuration('--delay', delay) }),
    ...(drop !== undefined && { dropRate: toRate(drop) }),
    ...(storeDown && { isStoreDown: true }),
  }
  if (Object.keys(change).length > 0 === off)
    throw new UsageError(
      'simulate trouble takes --duplicate, --reorder, --delay, --drop or --store-down, or --off alone',
    )
  return off ? NO_TROUBLE : change
}

function toCount(text: string): number {
  if (/^[1-9]$/.test(text)) return Number(text)
  throw new UsageError(`--duplicate is how often a message comes again, 1 to 9, not "${text}"`)
}

function toRate(text: string): number {
  const rate = /^(0|1|0?\.\d{1,6}|1\.0+)$/.test(text) ? Number(text) : 0
  if (rate > 0) return rate
  throw new UsageError(`--drop is the part of the messages that is lost, such as 0.2, not "${text}"`)
}

const NONE = 'none'

export function describeFault({ duplicates, isReordered, delayMs, dropRate, isStoreDown }: Trouble): string {
  const words = [
    duplicates > 0 ? `each message ${duplicates} more time${duplicates === 1 ? '' : 's'}` : '',
    isReordered ? 'backwards' : '',
    delayMs > 0 ? `${delayMs / MINUTE} minutes late` : '',
    dropRate > 0 ? `${dropRate * 100} % lost` : '',
    isStoreDown ? 'the stores do not answer' : '',
  ]
  return words.filter((word) => word !== '').join(', ') || NONE
}
