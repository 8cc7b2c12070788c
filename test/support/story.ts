import { expect } from 'bun:test'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import type { AndroidStage } from './android'
import type { Answer, Stage } from './cast'
import { access, lastEvent, listenTo, money, rowOf } from './facts'
import { notify } from './notify'

/**
 * What must be true at a step of a story: exactly the events since the step before, the access that HTTP returns, and
 * the sum of all money so far.
 */
export interface Step {
  events: string[]
  /** Access identifier -> day on which it ends (`2026-12-20`); null = never. */
  access: Record<string, string | null>
  /** Sum of all charges and returns, in micros. */
  net: number
}

/** Returns a function that checks one step of a device's story at each call. */
export function follow(s: Stage, device: string): (step: Step) => Promise<void> {
  const newEvents = listenTo(s, device)
  return async (step) => {
    const { id } = await rowOf(s, device)
    const ends = Object.entries(await access(s, device)).map(([name, end]) => [name, end?.slice(0, 10) ?? null])
    const amounts = (await money(s, id)).map(([, amountMicros]) => amountMicros ?? 0)
    expect({
      events: await newEvents(),
      access: Object.fromEntries(ends),
      net: amounts.reduce((sum, amount) => sum + amount, 0),
    }).toEqual(step)
  }
}

/** Sets the stage's clock to 08:00 UTC of a day, the time of day at which a stage begins. */
export const on = (s: Stage, day: string): void => s.ctx.clock.set(Date.parse(`${day}T08:00:00.000Z`))

/** The App Store sends a notification for the first time, and our answer accepts it. */
export async function notifyNew(...what: Parameters<typeof notify>): Promise<void> {
  expectTaken(await notify(...what))
}

/** Google Play, or the payment provider, delivers everything since the last call. Our answers accept all of it. */
export async function deliverAll(s: Pick<AndroidStage, 'deliverAll'>): Promise<void> {
  for (const answer of await s.deliverAll()) expectTaken(answer)
}

export const expectTaken = ({ status, body }: Answer): void =>
  expect([status, body]).toEqual([200, { data: { received: true, duplicate: false } }])

/** A device posts a receipt or a token. The answer must be 200, after which the app may finish the transaction. */
export async function expectSubmitted(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer
  expect([status, body.error]).toEqual([200, undefined])
}

/** Runs the sweep that records what only the clock has changed. */
export const sweep = (s: Stage): Promise<number> => sweepPurchases(s.ctx)

/** Why the last purchase of a device expired. */
export const endReason = async (s: Stage, device: string): Promise<unknown> =>
  (await lastEvent(s, device, 'purchase.expired')).data.reason
