import type { Context } from '../../base/context'
import type { CompiledAudience } from '../../core/rules/model'
import { firstDeviceKey, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { createSubject, type SubjectFacts } from '../audiences/built-ins'
import { gatherFacts } from './facts'
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
    const facts = await Promise.all(chunk.map((row) => gatherFacts(ctx, project, row, needs, {})))
    const isMatch = (row: SubscriberRow, known: SubjectFacts | undefined): boolean =>
      known !== undefined &&
      matches(createSubject(known, surroundingsOf(project.remote, 'PROD', firstDeviceKey(row), hash)))
    matching.push(...chunk.filter((row, index) => isMatch(row, facts[index])))
    await yieldToEventLoop()
  }
  return matching
}

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
