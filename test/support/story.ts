import { expect } from 'bun:test'
import type { Stage } from './cast'
import { access, listenTo, money, rowOf } from './facts'

/** What holds at a step of a story: the events since the step before and no others, access by HTTP, money kept so far. */
export interface Step {
  events: string[]
  /** Access identifier -> day on which it ends (`2026-12-20`); null = never. */
  access: Record<string, string | null>
  /** Sum of all charges and returns, in micros. */
  net: number
}

/** Follows one device through a story; each call checks one step. */
export function follow(s: Stage, device: string): (step: Step) => Promise<void> {
  const told = listenTo(s, device)
  return async (step) => {
    const { id } = await rowOf(s, device)
    const ends = Object.entries(await access(s, device)).map(([name, end]) => [name, end?.slice(0, 10) ?? null])
    const amounts = (await money(s, id)).map(([, amountMicros]) => amountMicros ?? 0)
    expect({
      events: await told(),
      access: Object.fromEntries(ends),
      net: amounts.reduce((sum, amount) => sum + amount, 0),
    }).toEqual(step)
  }
}

/** Turns the stage's clock to the start of a day (UTC, 08:00 as the stage begins). */
export const on = (s: Stage, day: string): void => s.ctx.clock.set(Date.parse(`${day}T08:00:00.000Z`))
