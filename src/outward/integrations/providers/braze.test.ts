import { BRAZE_KEYS, braze } from '../../../../test/support/integrations/braze'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { BRAZE } from './braze'
import cases from './braze.cases.json'

testMapping(BRAZE, cases, BRAZE_KEYS, checkWith(braze))
