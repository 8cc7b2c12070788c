import { Type } from '@sinclair/typebox'
import type { Place } from '../../projects/project/project-api'
import { ApplyAnswer, type ApplyTarget, LENIENT, toReport } from './apply-target'
import { FilePlan } from './operator-wire'
import { refuseTooLarge } from './sources'

const PatchPlan = Type.Composite([Type.Omit(FilePlan, ['problems', 'problemCount'])], LENIENT)
const PARTS = ['project-file', 'patch']

/** The project that a patch changes. On this machine and on a server the same route reads it. */
export async function patchTarget(place: Place, patch: string, ref: string | undefined): Promise<ApplyTarget> {
  const project = await place.require(ref)
  refuseTooLarge({ patch })
  return {
    async plan() {
      const plan = await project.call('POST', PARTS, { data: PatchPlan, body: { patch, dryRun: true } })
      return toReport({ ...plan, problems: [], problemCount: 0 })
    },
    async apply(configVersion) {
      const { secrets, waitingPurchases = 0 } = await project.call('POST', PARTS, {
        data: ApplyAnswer,
        body: { patch, configVersion },
      })
      return { secrets, waitingPurchases }
    },
  }
}
