import { AMPLITUDE_KEY, amplitude } from '../../../../test/support/integrations/amplitude'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { AMPLITUDE } from './amplitude'
import cases from './amplitude.cases.json'

testMapping(AMPLITUDE, cases, { apiKey: AMPLITUDE_KEY, region: 'US' }, checkWith(amplitude))
