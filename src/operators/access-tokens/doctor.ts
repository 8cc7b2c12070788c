import { type Check, type Examination, warn } from '../../base/cli/doctor'
import { countEndless } from './queries'

const NAME = 'access tokens'

/** Counts the personal access tokens that have no end. */
export const tokenExamination: Examination = {
  name: 'access-tokens',
  async database({ handle }) {
    const endless = await countEndless(handle)
    return endless === 0 ? [] : [checkOf(endless)]
  },
}

const checkOf = (endless: number): Check => warn(NAME, `Personal access tokens without an end: ${endless}. ${REPLACE}`)

const REPLACE =
  'Their owners see them in the console under Account, Tokens, and replace them by new ones; all are in svc token list.'
