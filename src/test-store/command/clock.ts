import type { Io } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { deliverAll, simulateTime } from '../driver/simulate'
import { readStatus, type TestStoreStatus } from '../driver/status'
import { dueOf } from '../stores/lives'
import { toDuration, type Values } from './options'
import { describeLife, failureLine, idsOf, toHeard } from './report'
import { describeFault } from './trouble'

/** Advances the clock of the test stores and prints what happened meanwhile. */
export async function advance(
  ctx: Context,
  project: ProjectState,
  io: Io,
  duration: string | undefined,
  { json }: Values,
): Promise<number> {
  const passed = await simulateTime(ctx, project, toDuration('simulate advance', duration))
  const { now } = await readStatus(ctx, project)
  const steps = passed.steps.map(({ at, turn, life }) => ({ at: toIso(at), turn, life }))
  if (json) {
    const wire = steps.map(({ at, turn, life }) => ({ at, turn, device: life.deviceKey, ...idsOf(life) }))
    io.out(JSON.stringify({ now: toIso(now), steps: wire, ...toHeard(passed) }))
    return 0
  }
  const rows = steps.map(({ at, turn, life }) => [at, turn, ...describeLife(life)])
  io.out(rows.length === 0 ? 'Nothing was due.' : table(rows))
  for (const failure of passed.failed) io.out(failureLine(failure))
  io.out(`The test store's clock shows ${toIso(now)}.`)
  return 0
}

/** Delivers all waiting messages. */
export async function deliver(ctx: Context, project: ProjectState, io: Io, { json }: Values): Promise<number> {
  const heard = await deliverAll(ctx, project)
  if (json) io.out(JSON.stringify(toHeard(heard)))
  else io.out([`delivered    ${heard.delivered.join(', ') || 'nothing'}`, ...heard.failed.map(failureLine)].join('\n'))
  return heard.failed.length > 0 ? 1 : 0
}

export async function status(ctx: Context, project: ProjectState, io: Io, { json }: Values): Promise<number> {
  const standing = await readStatus(ctx, project)
  io.out(json ? JSON.stringify(toWire(standing)) : toText(standing))
  return 0
}

function toWire({ now, state, lives, waiting }: TestStoreStatus) {
  return {
    now: toIso(now),
    advancedMs: state.leadMs,
    trouble: state.trouble,
    lost: state.lost,
    purchases: lives.map((life) => {
      const due = dueOf(life)
      const next = due && { turn: due.turn, at: toIso(due.at + state.leadMs) }
      return { store: life.store, device: life.deviceKey, product: life.terms.identifier, ...idsOf(life), next }
    }),
    waiting: waiting.map(({ deliverAt, ...one }) => ({ ...one, deliverAt: toIso(deliverAt) })),
  }
}

function toText({ now, state, lives, waiting }: TestStoreStatus): string {
  const rows = lives.map((life) => {
    const due = dueOf(life)
    return [...describeLife(life), due ? `${due.turn} at ${toIso(due.at + state.leadMs)}` : 'nothing more by itself']
  })
  return [
    `clock        ${toIso(now)}`,
    `trouble      ${describeFault(state.trouble)}${state.lost > 0 ? ` (${state.lost} lost so far)` : ''}`,
    rows.length === 0 ? 'Nothing was bought yet.' : table([['device', 'store', 'product', 'next'], ...rows]),
    ...waiting.map(
      ({ type, deliverAt, error }) => `waiting      ${type} until ${toIso(deliverAt)}${error ? `: ${error}` : ''}`,
    ),
  ].join('\n')
}
