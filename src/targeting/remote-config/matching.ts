import type { Context } from '../../base/context'
import type { CompiledAudience } from '../../core/rules/model'
import { firstDeviceKey, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { createSubject } from '../audiences/built-ins'
import { factsOf, readHoldingsOfAll } from './facts'
import { factsNeeded } from './needs'
import { readInProd } from './snapshot'
import { memberHash, surroundingsOf } from './surroundings'

/** How many are examined before other requests may run: a database in a file answers without waiting. */
const CHUNK = 25

/** Those of the subscribers that the rules match now, with the flags of PROD. */
export async function matchingAmong(
  ctx: Context,
  project: ProjectState,
  live: readonly SubscriberRow[],
  { matches, reads }: CompiledAudience,
): Promise<SubscriberRow[]> {
  const needs = factsNeeded(new Set(readInProd(reads, project.remote.environments)))
  const hash = memberHash(ctx, project)
  const matching: SubscriberRow[] = []
  for (let start = 0; start < live.length; start += CHUNK) {
    const chunk = live.slice(start, start + CHUNK)
    const holdings = await readHoldingsOfAll(ctx, project, chunk, needs)
    const isMatch = (row: SubscriberRow): boolean =>
      matches(
        createSubject(
          factsOf(ctx, project, row, holdings(row), {}),
          surroundingsOf(project.remote, 'PROD', firstDeviceKey(row), hash),
        ),
      )
    matching.push(...chunk.filter(isMatch))
    await yieldToEventLoop()
  }
  return matching
}

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
