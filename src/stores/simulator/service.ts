import type { Context } from '../../context'
import type { Handle } from '../../db/handle'
import type { Root } from '../ios/roots'
import { makeSimulatorKeys, parseSimulatorKeys, type SimulatorKeys, simulatorRoot } from './keys'
import { findSimulatorMaterial, insertSimulatorMaterial } from './queries'

/** The root that the test store's receipts lead to; null until the simulator was first used. */
export async function loadSimulatorRoot(handle: Handle): Promise<Root | null> {
  const keys = parseSimulatorKeys(await findSimulatorMaterial(handle))
  return keys && simulatorRoot(keys)
}

/** The deployment's test store keys, made on first use. */
export async function simulatorKeys(ctx: Context): Promise<SimulatorKeys> {
  const held = parseSimulatorKeys(await findSimulatorMaterial(ctx))
  if (held) return held
  const made = await makeSimulatorKeys(ctx.clock.now())
  await ctx.write((tx) => insertSimulatorMaterial(tx, { ...made }, ctx.clock.now()))
  return parseSimulatorKeys(await findSimulatorMaterial(ctx)) ?? made
}
