import { ADJUST_KEYS, adjust } from '../../../../test/support/integrations/adjust'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { ADJUST } from './adjust'
import cases from './adjust.cases.json'

testMapping(ADJUST, cases, ADJUST_KEYS, checkWith(adjust))
