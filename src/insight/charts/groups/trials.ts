import type { Chart } from '../chart'
import { activeTrials } from '../list/active-trials'
import { convertedTrials } from '../list/converted-trials'
import { lostTrials } from '../list/lost-trials'
import { newTrials } from '../list/new-trials'
import { pendingTrials } from '../list/pending-trials'
import { trialConversion } from '../list/trial-conversion'
import { trialMovement } from '../list/trial-movement'

/** Of trials. */
export const TRIALS: readonly Chart[] = [
  activeTrials,
  trialMovement,
  newTrials,
  convertedTrials,
  pendingTrials,
  lostTrials,
  trialConversion,
]
