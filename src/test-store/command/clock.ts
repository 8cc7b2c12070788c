import { type Static, Type } from '@sinclair/typebox'
import { table } from '../../base/cli/table'
import type { ProjectApi } from '../../projects/project/project-api'
import { Heard, Passed, StoresStatus } from '../dashboard/simulation-wire'
import { toDuration, type Values } from './options'
import { failureLine, type Output, PATH, toHeard } from './report'
import { describeFault } from './trouble'

/** A newer server may answer more. */
const PassedAnswer = Type.Omit(Passed, [], { additionalProperties: true })
const HeardAnswer = Type.Omit(Heard, [], { additionalProperties: true })
const StatusAnswer = Type.Omit(StoresStatus, [], { additionalProperties: true })

/** Advances the clock of the test stores and prints what happened meanwhile. */
export async function advance(
  project: ProjectApi,
  io: Output,
  duration: string | undefined,
  { json }: Values,
): Promise<number> {
  const body = { action: 'advance', ms: toDuration('simulate advance', duration) }
  const { now, steps, ...heard } = await project.call('POST', PATH, { data: PassedAnswer, body })
  if (json) {
    const wire = steps.map(({ store: _store, product: _product, ...step }) => step)
    io.out(JSON.stringify({ now, steps: wire, ...toHeard(heard) }))
    return 0
  }
  const rows = steps.map(({ at, turn, device, store, product }) => [at, turn, device, store, product])
  io.out(rows.length === 0 ? 'Nothing was due.' : table(rows))
  for (const failure of heard.failed) io.out(failureLine(failure))
  io.out(`The test store's clock shows ${now}.`)
  return 0
}

/** Delivers all waiting messages. */
export async function deliver(project: ProjectApi, io: Output, { json }: Values): Promise<number> {
  const heard = await project.call('POST', PATH, { data: HeardAnswer, body: { action: 'deliver' } })
  if (json) io.out(JSON.stringify(toHeard(heard)))
  else io.out([`delivered    ${heard.delivered.join(', ') || 'nothing'}`, ...heard.failed.map(failureLine)].join('\n'))
  return heard.failed.length > 0 ? 1 : 0
}

export async function status(project: ProjectApi, io: Output, { json }: Values): Promise<number> {
  const standing = await project.call('GET', ['test-store', 'status'], { data: StatusAnswer })
  io.out(json ? JSON.stringify(standing) : toText(standing))
  return 0
}

function toText({ now, trouble, lost, purchases, waiting }: Static<typeof StoresStatus>): string {
  const rows = purchases.map(({ device, store, product, next }) => [
    ...[device, store, product],
    next ? `${next.turn} at ${next.at}` : 'nothing more by itself',
  ])
  return [
    `clock        ${now}`,
    `trouble      ${describeFault(trouble)}${lost > 0 ? ` (${lost} lost so far)` : ''}`,
    rows.length === 0 ? 'Nothing was bought yet.' : table([['device', 'store', 'product', 'next'], ...rows]),
    ...waiting.map(
      ({ type, deliverAt, error }) => `waiting      ${type} until ${deliverAt}${error ? `: ${error}` : ''}`,
    ),
  ].join('\n')
}
