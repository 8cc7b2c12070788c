import type { Handle } from '../../db/handle'
import type { Clock } from '../../lib/clock'
import type { Ids } from '../../lib/ids'
import type { Root } from '../ios/roots'
import { makeSimulatorKeys, parseSimulatorKeys, type SimulatorKeys, simulatorRoot } from './keys'
import { findSimulatorMaterial, hasChain, insertSimulatorMaterial } from './queries'

/** What the test store needs of the process that it lives in. */
export interface SimulatorContext extends Handle {
  clock: Clock
  ids: Ids
  write<Result>(work: (tx: Handle & { clock: Clock }) => Promise<Result>): Promise<Result>
}

/** The root that the test store's receipts lead to; null until the simulator was first used. */
export async function loadSimulatorRoot(handle: Handle): Promise<Root | null> {
  const keys = parseSimulatorKeys(await findSimulatorMaterial(handle))
  return keys && simulatorRoot(keys)
}

/** Whether the test store of this deployment sold the purchase. */
export const isSimulatedChain = hasChain

/** The deployment's test store keys, made on first use. */
export async function simulatorKeys(ctx: SimulatorContext): Promise<SimulatorKeys> {
  const held = parseSimulatorKeys(await findSimulatorMaterial(ctx))
  if (held) return held
  const made = await makeSimulatorKeys(ctx.clock.now())
  await ctx.write((tx) => insertSimulatorMaterial(tx, { ...made }, ctx.clock.now()))
  return parseSimulatorKeys(await findSimulatorMaterial(ctx)) ?? made
}
