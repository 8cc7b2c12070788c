import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { listProjects } from '../project/service'
import { freeBytesOf } from './disk'
import { DEPLOYMENT, FREE_BYTES, findLevel, listLevels, saveLevel } from './level-queries'
import type { DayCounts, MeterUsage } from './meters'
import { DAILY_LENGTH, daysOfMonth, type Month, usageDay } from './month'

/** What a project has at one time: its subscribers, the bytes that it stores. */
export interface UsageLevel {
  name: string
  read(handle: Handle, projectId: string): Promise<number>
}

declare module '../../base/state' {
  interface SliceHooks {
    usageLevels: readonly UsageLevel[]
  }
}

/** Saves what each project has today. The last run of a day is its end. */
export async function saveLevels(ctx: Context, isStopping: () => boolean = () => false): Promise<void> {
  const day = usageDay(ctx.clock.now())
  const free = freeBytesOf(ctx.config)
  if (free !== null)
    await ctx.write((tx) => saveLevel(tx, { projectId: DEPLOYMENT, name: FREE_BYTES, day, value: free }))
  for (const { id: projectId } of await listProjects(ctx)) {
    if (isStopping()) return
    const values = await readNow(ctx, projectId)
    await ctx.write(async (tx) => {
      for (const [name, value] of values) await saveLevel(tx, { projectId, name, day, value })
    })
  }
}

const readNow = (ctx: Context, projectId: string): Promise<[name: string, value: number][]> =>
  ctx.storage.readInThread(
    async (handle) => {
      const values: [string, number][] = []
      for (const { name, read } of ctx.hooks.usageLevels ?? []) values.push([name, await read(handle, projectId)])
      return values
    },
    { group: projectId },
  )

/** The levels of a month. Of a month that is over, only those that were saved in it. */
export async function readLevels(ctx: Context, projectId: string, month: Month): Promise<MeterUsage[]> {
  const today = usageDay(ctx.clock.now())
  const [first, last] = daysOfMonth(month)
  const saved = await listLevels(ctx, projectId, [first, last])
  const now = last >= today ? new Map(await readNow(ctx, projectId)) : new Map<string, number>()
  const meters: MeterUsage[] = []
  for (const { name } of ctx.hooks.usageLevels ?? []) {
    const days = new Map(saved.get(name))
    const present = now.get(name)
    if (present !== undefined) days.set(today, present)
    const previous = await findLevel(ctx, { projectId, name, day: first - 1 })
    if (days.size > 0) meters.push(levelOf(name, days, { first, last: Math.min(last, today), previous }))
  }
  return meters
}

interface Span {
  first: number
  last: number
  previous: number | null
}

/** A day without a saved level has the level of the day before. */
function levelOf(name: string, days: DayCounts, { first, last, previous }: Span): MeterUsage {
  const daily: number[] = []
  for (let level = previous ?? 0, at = 0; at < DAILY_LENGTH; at++) {
    level = days.get(first + at) ?? level
    daily.push(first + at <= last ? level : 0)
  }
  const used = daily[last - first] ?? 0
  return { name, kind: 'LEVEL', used, previous, limit: null, forecast: null, daily, parts: [], dropped: 0 }
}

const levelJob = defineJob({
  name: 'usage.levels',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => saveLevels(ctx, isStopping),
})

/** Every six hours. */
export const levelCron = [cronLine({ name: 'usage-levels', pattern: '37 5,11,17,23 * * *', job: levelJob })]
